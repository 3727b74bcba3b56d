/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * GNU readline. Swift refuses C globals as shared mutable state, so each that the prompt needs has an accessor here. All of them
 * belong to the one thread that runs readline. */
#ifndef JACKDAW_READLINE_H
#define JACKDAW_READLINE_H

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

#include "CLateLibrary.h"

/* wcwidth is declared for XOPEN sources only; readline measures with the same function. */
extern int wcwidth(wchar_t);
/* fopencookie is for GNU sources only. */
extern FILE *fopencookie(void *, const char *, cookie_io_functions_t);

/* The functions, and after them the variables. */
#define JD_READLINE(EACH) \
  EACH(add_history) EACH(history_set_pos) EACH(rl_add_defun) EACH(rl_bind_keyseq_in_map) \
  EACH(rl_callback_handler_install) EACH(rl_callback_handler_remove) EACH(rl_callback_read_char) \
  EACH(rl_callback_sigcleanup) EACH(rl_clear_visible_line) EACH(rl_deprep_terminal) EACH(rl_digit_argument) \
  EACH(rl_free_line_state) EACH(rl_function_of_keyseq) EACH(rl_get_screen_size) EACH(rl_initialize) \
  EACH(rl_insert_comment) EACH(rl_insert_text) EACH(rl_invoking_keyseqs_in_map) EACH(rl_maybe_save_line) EACH(rl_maybe_unsave_line) \
  EACH(rl_newline) EACH(rl_on_new_line) EACH(rl_operate_and_get_next) EACH(rl_prep_terminal) EACH(rl_redisplay) EACH(rl_replace_line) \
  EACH(rl_reset_screen_size) EACH(rl_revert_line) EACH(rl_set_prompt) EACH(rl_set_screen_size) \
  EACH(rl_tty_set_echoing) EACH(rl_variable_bind) EACH(rl_variable_value) EACH(rl_vi_editing_mode) \
  EACH(stifle_history) EACH(using_history) \
  EACH(emacs_standard_keymap) EACH(history_length) EACH(rl_attempted_completion_function) \
  EACH(rl_attempted_completion_over) EACH(rl_catch_signals) EACH(rl_catch_sigwinch) EACH(rl_change_environment) \
  EACH(rl_completer_quote_characters) EACH(rl_completer_word_break_characters) EACH(rl_completion_append_character) \
  EACH(rl_completion_display_matches_hook) EACH(rl_deprep_term_function) EACH(rl_display_prompt) EACH(rl_end) \
  EACH(rl_filename_completion_desired) EACH(rl_getc_function) EACH(rl_ignore_completion_duplicates) \
  EACH(rl_input_available_hook) EACH(rl_instream) EACH(rl_line_buffer) EACH(rl_mark) EACH(rl_outstream) \
  EACH(rl_point) EACH(rl_prep_term_function) EACH(rl_prompt) EACH(rl_readline_name) EACH(rl_readline_state) \
  EACH(rl_redisplay_function) EACH(rl_sort_completion_matches) EACH(vi_insertion_keymap) EACH(vi_movement_keymap)

struct jd_readline {
  JD_READLINE(JD_LATE_MEMBER)
};

/* The library, loaded at the first call. For the one thread that runs it. */
const struct jd_readline *jd_readline(void);

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

static inline const char *jd_rl_line(void) {
  const char *line = *jd_readline()->rl_line_buffer;
  return line ? line : "";
}
static inline int jd_history_length(void) { return *jd_readline()->history_length; }
static inline int jd_rl_end(void) { return *jd_readline()->rl_end; }
static inline int jd_rl_point(void) { return *jd_readline()->rl_point; }
static inline void jd_rl_set_point(int point) { *jd_readline()->rl_point = point; *jd_readline()->rl_mark = 0; }
/* What stands before the line: the prompt, or what a search says. */
static inline const char *jd_rl_display_prompt(void) {
  const char *prompt = *jd_readline()->rl_display_prompt;
  return prompt ? prompt : "";
}
/* What readline draws before the prompt where `show-mode-in-prompt` is set: which keys there are. It is not part of the prompt, and
 * stands before nothing else. */
static inline const char *jd_rl_mode(void) {
  const char *shown = jd_readline()->rl_variable_value("show-mode-in-prompt");
  const char *mode = "emacs-mode-string";
  if (!shown || strcmp(shown, "on") != 0 || *jd_readline()->rl_display_prompt != *jd_readline()->rl_prompt) return "";
  if (strcmp(jd_readline()->rl_variable_value("editing-mode"), "vi") == 0) {
    const char *keys = jd_readline()->rl_variable_value("keymap");
    mode = keys && strcmp(keys, "vi-insert") == 0 ? "vi-ins-mode-string" : "vi-cmd-mode-string";
  }
  mode = jd_readline()->rl_variable_value(mode);
  return mode ? mode : "";
}
/* Whether a long line is one row that scrolls. */
static inline int jd_rl_scrolls(void) {
  const char *value = jd_readline()->rl_variable_value("horizontal-scroll-mode");
  return value && strcmp(value, "on") == 0;
}
static inline int jd_rl_searching(void) {
  return (*jd_readline()->rl_readline_state & (RL_STATE_ISEARCH | RL_STATE_NSEARCH)) != 0;
}

/* Whether the next key is a command of its own: no search, no sequence and no argument is under way. */
static inline int jd_rl_expects_command(void) {
  return (*jd_readline()->rl_readline_state & (RL_STATE_METANEXT | RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG |
                               RL_STATE_MULTIKEY | RL_STATE_VIMOTION | RL_STATE_CHARSEARCH)) == 0;
}

static inline void jd_rl_set_streams(FILE *in, FILE *out) {
  *jd_readline()->rl_instream = in;
  *jd_readline()->rl_outstream = out;
}
/* A stream whose bytes go to a function, so that drawing never waits for the terminal. The size of the window readline asks of
 * rl_instream, and sets the terminal's modes there. */
static inline FILE *jd_rl_outstream(cookie_write_function_t *write_function) {
  cookie_io_functions_t functions = {NULL, write_function, NULL, NULL};
  return fopencookie(NULL, "w", functions);
}

/* Readline rings the bell on stderr, whatever that is. */
static inline void jd_rl_silence(void) { jd_readline()->rl_variable_bind("bell-style", "none"); }

static inline void jd_rl_flush(void) {
  if (*jd_readline()->rl_outstream) fflush(*jd_readline()->rl_outstream);
}

/* Ctrl-C and its like come as keys, in their place among the others: as signals they would overtake what was typed before
 * them, and in a paste, which is not to be obeyed, make the kernel drop the mark that it is one. */
static inline void jd_rl_prepare(int meta) {
  struct termios settings;
  jd_readline()->rl_prep_terminal(meta);
  if (*jd_readline()->rl_instream && tcgetattr(fileno(*jd_readline()->rl_instream), &settings) == 0) {
    settings.c_lflag &= ~(tcflag_t)ISIG;
    tcsetattr(fileno(*jd_readline()->rl_instream), TCSANOW, &settings);
  }
}

/* The terminal stays prepared from one line to the next; the prompt gives it back when it is left. */
static inline void jd_rl_keep(void) {}

/* Whether the next key is to be inserted as it is (Ctrl-V). */
static inline int jd_rl_quotes_next(void) { return (*jd_readline()->rl_readline_state & RL_STATE_METANEXT) != 0; }

/* What is set once: the name for `$if` in .inputrc, signals left to the loop, own input, own completion. */
static inline void jd_rl_configure(const char *name, rl_getc_func_t *getc_function, rl_hook_func_t *input_available,
                                   rl_completion_func_t *complete, rl_compdisp_func_t *show_matches) {
  *jd_readline()->rl_readline_name = name;
  *jd_readline()->rl_catch_signals = 0;
  *jd_readline()->rl_catch_sigwinch = 0;
  *jd_readline()->rl_change_environment = 0;
  *jd_readline()->rl_prep_term_function = jd_rl_prepare;
  *jd_readline()->rl_deprep_term_function = jd_rl_keep;
  *jd_readline()->rl_getc_function = getc_function;
  *jd_readline()->rl_input_available_hook = input_available;
  *jd_readline()->rl_attempted_completion_function = complete;
  *jd_readline()->rl_completion_display_matches_hook = show_matches;
  /* The whole line is the word: where the words of a line begin is for our own splitter to say. */
  *jd_readline()->rl_completer_word_break_characters = "";
  *jd_readline()->rl_completer_quote_characters = NULL;
}

/* Who draws the line instead of readline. */
static inline void jd_rl_redisplay_by(rl_voidfunc_t *function) { *jd_readline()->rl_redisplay_function = function; }

/* The window is taken for so wide, or so high. */
static inline void jd_rl_set_columns(int columns) {
  int rows = 0, before = 0;
  jd_readline()->rl_get_screen_size(&rows, &before);
  jd_readline()->rl_set_screen_size(rows, columns);
}
static inline void jd_rl_set_rows(int rows) {
  int before = 0, columns = 0;
  jd_readline()->rl_get_screen_size(&before, &columns);
  if (rows > 0) jd_readline()->rl_set_screen_size(rows, columns);
}

/* What readline forgets before each completion. */
static inline void jd_rl_completion_settings(int append) {
  *jd_readline()->rl_attempted_completion_over = 1;
  *jd_readline()->rl_filename_completion_desired = 0;
  *jd_readline()->rl_ignore_completion_duplicates = 0;
  *jd_readline()->rl_sort_completion_matches = 0;
  *jd_readline()->rl_completion_append_character = append;
}

/* A list for readline to free. */
static inline char **jd_rl_match_list(size_t count) { return (char **)calloc(count + 1, sizeof(char *)); }
static inline void jd_rl_set_match(char **list, size_t at, const char *text) { list[at] = strdup(text); }

/* Every key of `map` that does `usual` does `function` instead, whatever .inputrc made of the keys. */
static inline void jd_rl_replace(rl_command_func_t *usual, rl_command_func_t *function, Keymap map) {
  char **sequences = jd_readline()->rl_invoking_keyseqs_in_map(usual, map);
  if (!sequences) return;
  for (char **sequence = sequences; *sequence; sequence++) {
    jd_readline()->rl_bind_keyseq_in_map(*sequence, function, map);
    free(*sequence);
  }
  free(sequences);
}

/* Readline forgets what it kept of the line being typed when the history was walked through: an arrow key would bring it back. One
 * is saved first so that there is one to be taken back: without it readline rings the bell. Draws nothing. */
static inline void jd_rl_forget_line(void) {
  jd_readline()->rl_maybe_save_line();
  jd_readline()->rl_maybe_unsave_line();
}

/* A key of `map`, unless .inputrc has bound it to something else than `usual`, what readline does with it (NULL: nothing). */
static inline void jd_rl_bind_in_map_unless_changed(
    const char *sequence, rl_command_func_t *function, rl_command_func_t *usual, Keymap map) {
  int type = ISFUNC;
  rl_command_func_t *bound = jd_readline()->rl_function_of_keyseq(sequence, map, &type);
  if (type == ISFUNC && (bound == NULL || bound == usual)) jd_readline()->rl_bind_keyseq_in_map(sequence, function, map);
}

/* The same of emacs's map and of the one in which vi's keys insert text, where Esc alone goes on to commands: readline takes it for the
 * beginning of a key only where the rest has come with it, as with Alt. */
static inline void jd_rl_bind_unless_changed(const char *sequence, rl_command_func_t *function, rl_command_func_t *usual) {
  jd_rl_bind_in_map_unless_changed(sequence, function, usual, *jd_readline()->emacs_standard_keymap);
  jd_rl_bind_in_map_unless_changed(sequence, function, NULL, *jd_readline()->vi_insertion_keymap);
}

static inline Keymap jd_rl_emacs_map(void) { return *jd_readline()->emacs_standard_keymap; }
static inline Keymap jd_rl_vi_insert_map(void) { return *jd_readline()->vi_insertion_keymap; }
static inline Keymap jd_rl_vi_command_map(void) { return *jd_readline()->vi_movement_keymap; }

#endif
