package repl

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"girih/internal/terminal"
)

// plain reads lines without a prompt. Lines are gathered until the input is complete. In a file or a pipe, an
// empty line does not end a block if the next line is indented; on a terminal the next line is not known.
func (r *repl) plain(stdin io.Reader) int {
	in := bufio.NewReaderSize(stdin, 1<<16)
	typed := terminal.Is(stdin)
	input := ""
	for {
		line, err := in.ReadString('\n')
		input += strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		switch {
		case err != nil && err != io.EOF:
			fmt.Fprintf(r.err, "girih: %v\n", err)
			return statusFailed
		case err == nil && (incomplete(input) || !typed && pauses(input) && nextIsIndented(in)):
			input += "\n"
			continue
		}
		if !r.handle(input) || err != nil || r.out.Err() != nil {
			break
		}
		input = ""
	}
	if r.failed {
		return statusFailed
	}
	return statusOK
}

// pauses reports whether the input is a block that an empty line ends.
func pauses(input string) bool {
	block := strings.TrimRight(input, " \t\n")
	return strings.Contains(input[len(block):], "\n") && incomplete(block)
}

// nextIsIndented reports whether the next line that is not empty begins with a blank.
func nextIsIndented(in *bufio.Reader) bool {
	for n := 1; ; n++ {
		ahead, err := in.Peek(n)
		if err != nil {
			return false
		}
		if c := ahead[n-1]; c != '\n' && c != '\r' {
			return c == ' ' || c == '\t'
		}
	}
}
