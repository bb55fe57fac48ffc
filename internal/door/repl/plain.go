package repl

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// plain reads lines without a prompt. Lines are gathered until they are a complete input.
func (r *repl) plain(stdin io.Reader) int {
	in := bufio.NewReaderSize(stdin, 1<<16)
	input := ""
	for {
		line, err := in.ReadString('\n')
		input += strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		switch {
		case err != nil && err != io.EOF:
			fmt.Fprintf(r.err, "girih: %v\n", err)
			return statusFailed
		case err == nil && incomplete(input):
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
