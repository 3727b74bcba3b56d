/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * Libraries that are loaded when something of them is called first. To load them takes longer than much of what a command does:
 * one that another process carries out needs neither OpenSSL nor SQLite, and only a prompt needs readline.
 *
 * For each there is a C target that says what is used of it. Functions are defined there by their own names, so that they are
 * called as ever; the library's header gives them their types, and a function that is not listed does not link. */
#ifndef JACKDAW_LATE_LIBRARY_H
#define JACKDAW_LATE_LIBRARY_H

#include <pthread.h>

/* Loads a library by the name of its interface, as in libidn2.so.0; it stays loaded. Where there is none, the program ends with a
 * message and EX_SOFTWARE: it was there when the program was built. */
void *jd_late_library(const char *name);

/* The address of a function or a variable of a library. The program ends likewise where it has none of the name. */
void *jd_late_symbol(void *library, const char *name);

/* Around the library's header and what is defined here by its names: these are for this program, not for the libraries that it
 * loads, which have to find each other's. */
#define JD_LATE_BEGIN _Pragma("GCC visibility push(hidden)")
#define JD_LATE_END _Pragma("GCC visibility pop")

/* Defines `library()`, which loads the library of that name once, on whichever thread, and has `ready` see it before others do,
 * unless that is NULL. */
#define JD_LATE_LIBRARY(library, name, ready) \
  static void *library##_loaded; \
  static void library##_load(void) { \
    void (*see)(void *) = ready; \
    library##_loaded = jd_late_library(name); \
    if (see) see(library##_loaded); \
  } \
  static void *library(void) { \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    (void)pthread_once(&once, library##_load); \
    return library##_loaded; \
  }

/* Defines the function `name` as that of the library, which its first call looks for. */
#define JD_LATE_FUNCTION(library, result, name, parameters, arguments) \
  result name parameters { \
    static __typeof__(&name) found; \
    __typeof__(&name) function = __atomic_load_n(&found, __ATOMIC_ACQUIRE); \
    if (!function) { \
      function = (__typeof__(&name))jd_late_symbol(library(), #name); \
      __atomic_store_n(&found, function, __ATOMIC_RELEASE); \
    } \
    return function arguments; \
  }

/* A member of a library's table, for one whose variables are used, too: where `name` is, once it is loaded. */
#define JD_LATE_MEMBER(name) __typeof__(&name) name;

#endif
