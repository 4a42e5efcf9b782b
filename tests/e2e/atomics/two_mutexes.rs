// check: verdict=error findings=deadlock first=yes
// check FIXED: verdict=ok locked=yes
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let first = Arc::new(Mutex::new(0));
    let second = Arc::new(Mutex::new(0));
    let (their_first, their_second) = (first.clone(), second.clone());
    let other = thread::spawn(move || {
        let _one = their_first.lock().unwrap();
        let _two = their_second.lock().unwrap();
    });
    if cfg!(FIXED) {
        let _one = first.lock().unwrap();
        let _two = second.lock().unwrap();
    } else {
        let _two = second.lock().unwrap();
        let _one = first.lock().unwrap();
    }
    other.join().unwrap();
}
