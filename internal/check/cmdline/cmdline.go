// Package cmdline splits the lines that the documentation shows into the arguments of a process, so that the gallery,
// the help texts and the README are run as they stand.
package cmdline

import "strings"

// Split returns the words of a line, where single quotes keep spaces. It knows nothing else of a shell: documented
// lines need no more, and what needs more would be hard to type.
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
