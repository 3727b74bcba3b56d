/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * Swift refuses C globals as shared mutable state, so each that the prompt needs has an accessor here. All of them
 * belong to the one thread that runs readline. */
#ifndef JACKDAW_READLINE_SHIM_H
#define JACKDAW_READLINE_SHIM_H

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <wchar.h>
/* Not before the types that it uses. */
#include <bits/types/cookie_io_functions_t.h>
#include <readline/readline.h>
#include <readline/history.h>

/* wcwidth is declared for XOPEN sources only; readline measures with the same function. */
extern int wcwidth(wchar_t);
/* fopencookie is for GNU sources only. */
extern FILE *fopencookie(void *, const char *, cookie_io_functions_t);

static inline int jd_width(unsigned int scalar) { return wcwidth((wchar_t)scalar); }

static inline int jd_codeset_is_utf8(void) {
  const char *codeset = nl_langinfo(CODESET);
  return codeset && strcmp(codeset, "UTF-8") == 0;
}

/* The columns and rows of a terminal; 0 when it says nothing. */
static inline int jd_window_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

static inline const char *jd_rl_line(void) { return rl_line_buffer ? rl_line_buffer : ""; }
static inline int jd_history_length(void) { return history_length; }
static inline int jd_rl_end(void) { return rl_end; }
static inline int jd_rl_point(void) { return rl_point; }
static inline void jd_rl_set_point(int point) { rl_point = point; rl_mark = 0; }
/* What stands before the line: the prompt, or what a search says. */
static inline const char *jd_rl_display_prompt(void) { return rl_display_prompt ? rl_display_prompt : ""; }
/* Whether a long line is one row that scrolls. */
static inline int jd_rl_scrolls(void) {
  const char *value = rl_variable_value("horizontal-scroll-mode");
  return value && strcmp(value, "on") == 0;
}
static inline int jd_rl_searching(void) { return (rl_readline_state & (RL_STATE_ISEARCH | RL_STATE_NSEARCH)) != 0; }

/* Whether the next key is a command of its own: no search, no sequence and no argument is under way. */
static inline int jd_rl_expects_command(void) {
  return (rl_readline_state & (RL_STATE_METANEXT | RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG |
                               RL_STATE_MULTIKEY | RL_STATE_VIMOTION | RL_STATE_CHARSEARCH)) == 0;
}

static inline void jd_rl_set_streams(FILE *in, FILE *out) {
  rl_instream = in;
  rl_outstream = out;
}
/* A stream whose bytes go to a function, so that drawing never waits for the terminal. The size of the window readline asks of
 * rl_instream, and sets the terminal's modes there. */
static inline FILE *jd_rl_outstream(cookie_write_function_t *write_function) {
  cookie_io_functions_t functions = {NULL, write_function, NULL, NULL};
  return fopencookie(NULL, "w", functions);
}

/* Readline rings the bell on stderr, whatever that is. */
static inline void jd_rl_silence(void) { rl_variable_bind("bell-style", "none"); }

static inline void jd_rl_flush(void) {
  if (rl_outstream) fflush(rl_outstream);
}

/* Ctrl-C and its like come as keys, in their place among the others: as signals they would overtake what was typed before
 * them, and in a paste, which is not to be obeyed, make the kernel drop the mark that it is one. */
static inline void jd_rl_prepare(int meta) {
  struct termios settings;
  rl_prep_terminal(meta);
  if (rl_instream && tcgetattr(fileno(rl_instream), &settings) == 0) {
    settings.c_lflag &= ~(tcflag_t)ISIG;
    tcsetattr(fileno(rl_instream), TCSANOW, &settings);
  }
}

/* The terminal stays prepared from one line to the next; the prompt gives it back when it is left. */
static inline void jd_rl_keep(void) {}

/* Whether the next key is to be inserted as it is (Ctrl-V). */
static inline int jd_rl_quotes_next(void) { return (rl_readline_state & RL_STATE_METANEXT) != 0; }

/* What is set once: the name for `$if` in .inputrc, signals left to the loop, own input, own completion. */
static inline void jd_rl_configure(const char *name, rl_getc_func_t *getc_function, rl_hook_func_t *input_available,
                                   rl_completion_func_t *complete, rl_compdisp_func_t *show_matches) {
  rl_readline_name = name;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_change_environment = 0;
  rl_prep_term_function = jd_rl_prepare;
  rl_deprep_term_function = jd_rl_keep;
  rl_getc_function = getc_function;
  rl_input_available_hook = input_available;
  rl_attempted_completion_function = complete;
  rl_completion_display_matches_hook = show_matches;
  /* The whole line is the word: where the words of a line begin is for our own splitter to say. */
  rl_completer_word_break_characters = "";
  rl_completer_quote_characters = NULL;
}

/* Who draws the line instead of readline. */
static inline void jd_rl_redisplay_by(rl_voidfunc_t *function) { rl_redisplay_function = function; }

/* The window is taken for so wide, or so high. */
static inline void jd_rl_set_columns(int columns) {
  int rows = 0, before = 0;
  rl_get_screen_size(&rows, &before);
  rl_set_screen_size(rows, columns);
}
static inline void jd_rl_set_rows(int rows) {
  int before = 0, columns = 0;
  rl_get_screen_size(&before, &columns);
  if (rows > 0) rl_set_screen_size(rows, columns);
}

/* What readline forgets before each completion. */
static inline void jd_rl_completion_settings(int append) {
  rl_attempted_completion_over = 1;
  rl_filename_completion_desired = 0;
  rl_ignore_completion_duplicates = 0;
  rl_sort_completion_matches = 0;
  rl_completion_append_character = append;
}

/* A list for readline to free. */
static inline char **jd_rl_match_list(size_t count) { return (char **)calloc(count + 1, sizeof(char *)); }
static inline void jd_rl_set_match(char **list, size_t at, const char *text) { list[at] = strdup(text); }

/* Every key of `map` that accepts the line accepts it by `function` instead, whatever .inputrc made of the keys. */
static inline void jd_rl_replace_accept_line(rl_command_func_t *function, Keymap map) {
  char **sequences = rl_invoking_keyseqs_in_map(rl_newline, map);
  if (!sequences) return;
  for (char **sequence = sequences; *sequence; sequence++) {
    rl_bind_keyseq_in_map(*sequence, function, map);
    free(*sequence);
  }
  free(sequences);
}

/* Readline forgets the line being typed, and what it kept of it when the history was walked through: an arrow key would bring it
 * back. One is saved first so that there is one to be taken back: without it readline rings the bell. */
static inline void jd_rl_forget_line(void) {
  rl_free_line_state();
  rl_maybe_save_line();
  rl_maybe_unsave_line();
}

/* A key of `map`, unless .inputrc has bound it to something else than `usual`, what readline does with it (NULL: nothing). */
static inline void jd_rl_bind_in_map_unless_changed(
    const char *sequence, rl_command_func_t *function, rl_command_func_t *usual, Keymap map) {
  int type = ISFUNC;
  rl_command_func_t *bound = rl_function_of_keyseq(sequence, map, &type);
  if (type == ISFUNC && (bound == NULL || bound == usual)) rl_bind_keyseq_in_map(sequence, function, map);
}

/* The same of emacs's map and of the one in which vi's keys insert text, where Esc alone goes on to commands: readline takes it for the
 * beginning of a key only where the rest has come with it, as with Alt. */
static inline void jd_rl_bind_unless_changed(const char *sequence, rl_command_func_t *function, rl_command_func_t *usual) {
  jd_rl_bind_in_map_unless_changed(sequence, function, usual, emacs_standard_keymap);
  jd_rl_bind_in_map_unless_changed(sequence, function, NULL, vi_insertion_keymap);
}

static inline Keymap jd_rl_emacs_map(void) { return emacs_standard_keymap; }
static inline Keymap jd_rl_vi_insert_map(void) { return vi_insertion_keymap; }
static inline Keymap jd_rl_vi_command_map(void) { return vi_movement_keymap; }

#endif
