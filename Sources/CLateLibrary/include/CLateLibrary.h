/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * Libraries that are loaded when something of them is needed first. A command that shows no prompt would otherwise wait at its
 * start for readline, one that writes to ASCII addresses for the tables of IDNA.
 *
 * For each there is a C target, whose list of names says what is used of it. The library's own header gives them their types, so
 * that a wrong use does not compile. What is declared in those headers must not be used by its name. */
#ifndef JACKDAW_LATE_LIBRARY_H
#define JACKDAW_LATE_LIBRARY_H

/* Loads a library by the name of its interface, as in libidn2.so.0; it stays loaded. Where there is none, the program ends with a
 * message and EX_SOFTWARE: it was there when the program was built. */
void *jd_late_library(const char *name);

/* The address of a function or a variable of a library. The program ends likewise where it has none of the name. */
void *jd_late_symbol(void *library, const char *name);

/* A member of a library's table: where `name` is, once it is loaded. */
#define JD_LATE_MEMBER(name) __typeof__(&name) name;

#endif
