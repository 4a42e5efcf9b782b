// Tells which runtime a process has loaded, for a person with a debugger.

extern "C" __attribute__((visibility("default"))) const char kMazurkaVersion[] = MAZURKA_VERSION;
