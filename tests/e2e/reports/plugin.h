#pragma once

#include <functional>

void add_plugin(const char* name);
void with_plugins(const std::function<void()>& use);
