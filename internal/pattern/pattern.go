// Package pattern provides regular expressions that cost nothing until they are used. A program with a hundred of them
// in variables compiles them all when it starts, and the linker must keep these expressions and everything in their
// packages' initialization.
package pattern

import (
	"regexp"
	"sync"
)

// A Pattern is a regular expression in the syntax of package regexp. It is compiled when a method is first called, once
// for equal texts, and kept: a Pattern is meant to be a constant. The methods do what the methods of [regexp.Regexp]
// do, and panic if the text is not a regular expression.
type Pattern string

var compiled sync.Map // of Pattern to *regexp.Regexp

func (p Pattern) regexp() *regexp.Regexp {
	if re, ok := compiled.Load(p); ok {
		return re.(*regexp.Regexp)
	}
	re, _ := compiled.LoadOrStore(p, regexp.MustCompile(string(p)))
	return re.(*regexp.Regexp)
}

// MatchString reports whether s has a match.
func (p Pattern) MatchString(s string) bool { return p.regexp().MatchString(s) }

// FindString returns the leftmost match, or "".
func (p Pattern) FindString(s string) string { return p.regexp().FindString(s) }

// FindStringIndex returns the place of the leftmost match, or nil.
func (p Pattern) FindStringIndex(s string) []int { return p.regexp().FindStringIndex(s) }

// FindAllString returns all matches, at most n if that is not negative.
func (p Pattern) FindAllString(s string, n int) []string { return p.regexp().FindAllString(s, n) }

// FindStringSubmatch returns the leftmost match and its groups, or nil.
func (p Pattern) FindStringSubmatch(s string) []string { return p.regexp().FindStringSubmatch(s) }

// FindAllStringSubmatch returns all matches with their groups, at most n if that is not negative.
func (p Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.regexp().FindAllStringSubmatch(s, n)
}

// ReplaceAllString returns s with every match replaced; $1 is the first group.
func (p Pattern) ReplaceAllString(s, by string) string { return p.regexp().ReplaceAllString(s, by) }

// ReplaceAllStringFunc returns s with every match replaced by the result of the function.
func (p Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.regexp().ReplaceAllStringFunc(s, by)
}
