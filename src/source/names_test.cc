#include "source/names.h"

#include <gtest/gtest.h>

namespace mazurka {
namespace {

TEST(Names, FunctionsLoseParametersAndReturnTypes) {
  EXPECT_EQ(function_name("_ZN4bank7Account7depositEi"), "bank::Account::deposit");
  EXPECT_EQ(function_name("_ZNK7Account7balanceEv"), "Account::balance");
  EXPECT_EQ(function_name("_Z3maxIiET_S0_S0_"), "max<int>");
  EXPECT_EQ(function_name("_ZN12_GLOBAL__N_14workEv"), "work");
  EXPECT_EQ(function_name("_ZZ7depositiEN5Local3runEv"), "deposit::Local::run");
}

TEST(Names, OtherSymbolsAreLeftAlone) {
  EXPECT_EQ(function_name("pthread_mutex_lock"), "pthread_mutex_lock");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
  EXPECT_EQ(demangle(""), "");
}

TEST(Names, StaticLocalsAreNamedAfterTheirFunction) {
  EXPECT_EQ(object_name("_ZZ7depositiE4lock"), "deposit::lock");
  EXPECT_EQ(object_name("_ZGVZ7depositiE4lock"), "guard variable for deposit::lock");
}

TEST(Names, StaticLocalsOfCFunctionsKeepTheirNames) {
  EXPECT_EQ(object_name("worker.lock"), "worker::lock");
  EXPECT_EQ(object_name("lock.0"), "lock");
  EXPECT_EQ(object_name("lock"), "lock");
}

TEST(Names, LambdasLookTheSameFromBothCompilers) {
  EXPECT_EQ(function_name("_ZZ4mainENKUlvE_clEv"), "main::{lambda}");
  EXPECT_EQ(object_name("_ZZZ4mainENK3$_0clERSt5mutexE4runs"), "main::{lambda}::runs");
}

TEST(Names, HeadersOfCompilersAndLibrariesAreNotUserCode) {
  EXPECT_TRUE(is_system_file("/usr/include/c++/12/bits/std_mutex.h"));
  EXPECT_TRUE(is_system_file("/opt/gcc-13/include/c++/13/mutex"));
  EXPECT_FALSE(is_system_file("/home/me/include/queue.h"));
  EXPECT_TRUE(is_system_module("/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_TRUE(is_system_module("/opt/mazurka/lib/libmazurka_rt.so"));
  EXPECT_FALSE(is_system_module("/home/me/libcounter.so"));
}

TEST(Names, FilesUnderTheDirectoryBecomeRelative) {
  EXPECT_EQ(shorten("/home/me/src/a.c", "/home/me"), "src/a.c");
  EXPECT_EQ(shorten("/home/me/src/a.c", "/home/me/"), "src/a.c");
  EXPECT_EQ(shorten("/home/meg/a.c", "/home/me"), "/home/meg/a.c");
  EXPECT_EQ(shorten("/a.c", "/"), "/a.c");
  EXPECT_EQ(absolute_path("../a.c", "/home/me/build"), "/home/me/a.c");
}

}  // namespace
}  // namespace mazurka
