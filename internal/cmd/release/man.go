package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"girih/internal/version"
)

// printManual prints the man page of girih: what a binary for this machine says when it is asked for help.
func printManual(to io.Writer, binary string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH GIRIH 1 \"\" \"girih %s\"\n.SH NAME\ngirih \\- layouts of GPU kernels, exactly or with the reason\n"+
		".SH SYNOPSIS\n.B girih\nCOMMAND [ARG...]\n.SH DESCRIPTION\n", version.Number)
	help, err := exec.Command(binary, "help").Output()
	if err != nil {
		return err
	}
	about, _, _ := strings.Cut(string(help), "\nCommands:\n")
	literal(&b, about)
	b.WriteString(".SH COMMANDS\n")
	commands, err := exec.Command(binary, "__complete", "").Output() // cobra's list for shells: NAME, a tab, the purpose
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(commands)) {
		name, _, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		help, err := exec.Command(binary, name, "--help").Output()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, ".SS girih %s\n", name)
		literal(&b, string(help))
	}
	b.WriteString(".SH EXIT STATUS\n0 if all is fine, 1 if an expression failed, 2 for wrong usage.\n")
	_, err = to.Write(b.Bytes())
	return err
}

// plain is what roff takes for itself in a text, and how the text is written instead.
var plain = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`", "^", `\(ha`, "~", `\(ti`, "\n.", "\n\\&.")

// literal writes text as it is, for roff.
func literal(b *bytes.Buffer, text string) {
	fmt.Fprintf(b, ".nf\n%s\n.fi\n", strings.TrimPrefix(plain.Replace("\n"+strings.TrimRight(text, "\n")), "\n"))
}
