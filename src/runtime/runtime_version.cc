// Tells which runtime a process has loaded, for a person with a debugger.

extern "C" __attribute__((visibility("default"))) const char mazurka_rt_version[] = "0.1.0";
