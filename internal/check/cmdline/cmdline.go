// Package cmdline splits the lines that the documentation shows into the arguments of a process, so that the gallery,
// the help texts and the README are run as they stand.
package cmdline

import "strings"

// Split returns the words of a line; single quotes keep spaces. Split supports no other shell syntax: documented lines
// need none, and lines that need more would be hard to type.
func Split(line string) []string {
	var args []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			args = append(args, part)
			continue
		}
		args = append(args, strings.Fields(part)...)
	}
	return args
}
