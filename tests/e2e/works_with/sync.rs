// Rust's std::sync. Each part is right, or has a bug with `broken`.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, Once, RwLock};
use std::thread;

static VALUE: AtomicUsize = AtomicUsize::new(0);

#[cfg(mutex)]
fn run() {
    let a = Arc::new((Mutex::new(0), Mutex::new(0)));
    let b = a.clone();
    let other = thread::spawn(move || {
        #[cfg(not(broken))]
        let _order = (b.0.lock().unwrap(), b.1.lock().unwrap());
        #[cfg(broken)]
        let _order = (b.1.lock().unwrap(), b.0.lock().unwrap());
    });
    {
        let _order = (a.0.lock().unwrap(), a.1.lock().unwrap());
    }
    other.join().unwrap();
}

#[cfg(rwlock)]
fn run() {
    let a = Arc::new(RwLock::new(0));
    let b = a.clone();
    let other = thread::spawn(move || {
        #[cfg(not(broken))]
        {
            *b.write().unwrap() += 1;
        }
        #[cfg(broken)]
        {
            let seen = *b.read().unwrap();
            *b.write().unwrap() = seen + 1;
        }
    });
    *a.write().unwrap() += 1;
    other.join().unwrap();
    assert_eq!(*a.read().unwrap(), 2);
}

#[cfg(condvar)]
fn run() {
    let a = Arc::new((Mutex::new(false), Condvar::new(), AtomicBool::new(false)));
    let b = a.clone();
    let other = thread::spawn(move || {
        let mut ready = b.0.lock().unwrap();
        #[cfg(not(broken))]
        while !*ready {
            ready = b.1.wait(ready).unwrap();
        }
        #[cfg(broken)]
        while !b.2.load(SeqCst) {
            ready = b.1.wait(ready).unwrap();
        }
        drop(ready);
    });
    #[cfg(not(broken))]
    {
        *a.0.lock().unwrap() = true;
    }
    #[cfg(broken)]
    a.2.store(true, SeqCst);
    a.1.notify_one();
    other.join().unwrap();
}

#[cfg(once)]
fn run() {
    static ONCE: Once = Once::new();
    let other = thread::spawn(|| {
        #[cfg(not(broken))]
        ONCE.call_once(|| {
            VALUE.fetch_add(1, SeqCst);
        });
        #[cfg(broken)]
        if !ONCE.is_completed() {
            VALUE.fetch_add(1, SeqCst);
        }
    });
    ONCE.call_once(|| {
        VALUE.fetch_add(1, SeqCst);
    });
    other.join().unwrap();
    assert_eq!(VALUE.load(SeqCst), 1);
}

#[cfg(mpsc)]
fn run() {
    let (sends, receives) = mpsc::channel();
    let other_sends = sends.clone();
    let other = thread::spawn(move || other_sends.send(1).unwrap());
    sends.send(2).unwrap();
    #[cfg(not(broken))]
    assert_eq!(receives.recv().unwrap() + receives.recv().unwrap(), 3);
    #[cfg(broken)]
    assert_eq!(receives.recv().unwrap(), 2);
    other.join().unwrap();
}

#[cfg(barrier)]
fn run() {
    let a = Arc::new(Barrier::new(2));
    let b = a.clone();
    let other = thread::spawn(move || {
        VALUE.fetch_add(1, SeqCst);
        b.wait();
    });
    #[cfg(not(broken))]
    a.wait();
    assert_eq!(VALUE.load(SeqCst), 1);
    #[cfg(broken)]
    a.wait();
    other.join().unwrap();
}

#[cfg(park)]
fn run() {
    let main = thread::current();
    let other = thread::spawn(move || {
        VALUE.store(1, SeqCst);
        main.unpark();
    });
    #[cfg(not(broken))]
    while VALUE.load(SeqCst) == 0 {
        thread::park();
    }
    #[cfg(broken)]
    if VALUE.load(SeqCst) == 0 {
        thread::park();
        thread::park();
    }
    other.join().unwrap();
}

#[allow(unused)]
fn names(_: &Mutex<()>, _: &RwLock<()>, _: &Condvar, _: &Once, _: &Barrier, _: &AtomicBool, _: Arc<()>) {
    let _ = mpsc::channel::<()>();
}

fn main() {
    run();
}
