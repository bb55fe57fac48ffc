package reader

import "strings"

// This file finds the name of a value in a text: A in A = (4,8), "TV Layout C" in TV Layout C: (4,8).

// label returns the name that the text gives to the value at a token: NAME = value, Some Words: value.
func (s *search) label(first int) string {
	k := first - 1
	for k >= 0 && (s.toks[k].c == '"' || s.toks[k].c == '\'') {
		k--
	}
	if k < 1 || s.toks[first].line && s.toks[k].c != '=' && s.toks[k].kind != tokImplies {
		return ""
	}
	switch sep := s.toks[k]; {
	case sep.c == '=':
		return s.words(k-1, 1)
	case sep.c == ':':
		return s.words(k-1, 4)
	case sep.kind == tokImplies:
		return s.lineBefore(k)
	case sep.kind == tokIdent && isSizeWord(s.text(&sep)):
		return s.text(&sep)
	}
	return ""
}

// words returns at most n names; the last one ends at token k.
func (s *search) words(k, n int) string {
	last := k
	start := k + 1
	for k >= 0 && n > 0 && (s.toks[k].kind == tokIdent || s.toks[k].kind == tokStatic) {
		n--
		k = s.nameStart(k, last-16)
		start = k
		if s.toks[k].line {
			break
		}
		k--
	}
	if start > last {
		return ""
	}
	return strings.Join(strings.Fields(s.src[s.toks[start].start:s.toks[last].end]), " ")
}

// nameStart returns the first token of the name that ends at token k, with its namespaces and a # before it. It does
// not look for namespaces before token least.
func (s *search) nameStart(k, least int) int {
	for k >= 2 && k > least && !s.toks[k].space && (s.toks[k-1].kind == tokScope || s.toks[k-1].c == '.') &&
		s.toks[k-2].kind == tokIdent {
		k -= 2
	}
	if s.toks[k].c == 0 && k >= 1 && s.toks[k-1].c == '#' && !s.toks[k].space {
		k--
	}
	return k
}

// maxLabel limits a label of several words, in bytes and in tokens.
const maxLabel = 64

// lineBefore returns the text of the line before token k, or "" if it is long.
func (s *search) lineBefore(k int) string {
	i := k
	for i > 0 && k-i < maxLabel && !s.toks[i].line {
		i--
	}
	text := strings.TrimSpace(s.src[s.toks[i].start:s.toks[k].start])
	if _, rest, ok := strings.Cut(text, "] "); ok && text[0] == '[' {
		text = strings.TrimSpace(rest) // removes the time of a log line
	}
	if !s.toks[i].line || len(text) > maxLabel || strings.ContainsAny(text, "\n\r") {
		return ""
	}
	return text
}
