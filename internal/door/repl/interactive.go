package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/reeflective/readline"
	"github.com/reeflective/readline/inputrc"

	"girih/internal/glossary"
	"girih/internal/service"
	"girih/internal/terminal"
)

const (
	prompt       = "girih> "
	continuation = "     > " // as wide as the prompt
)

// interactive edits lines on the terminal.
func (r *repl) interactive() int {
	sh := r.newShell()
	defer terminal.KeepKeys(os.Stdin)()
	r.paint(r.out, dim, "girih: Tab completes, :help explains, Ctrl-D leaves")
	fmt.Fprintln(r.out)
	for {
		input, err := sh.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case errors.Is(err, io.EOF):
			return statusOK
		case err != nil:
			fmt.Fprintf(r.err, "girih: %v\n", err)
			return statusFailed
		}
		if !r.handle(input) {
			return statusOK
		}
	}
}

// newShell sets up the line editor.
func (r *repl) newShell() *readline.Shell {
	sh := readline.NewShell(inputrc.WithApp("girih"))
	sh.Prompt.Primary(func() string { return r.style.paint(bold, prompt) })
	sh.Prompt.Secondary(func() string { return r.style.paint(dim, continuation) })
	bindTab(sh)
	sh.Config.Vars["enable-bracketed-paste"] = true // like GNU's readline: a pasted cell with empty lines is one input
	// One read may return the answer to the probe together with keys that were typed ahead, and these keys would be
	// lost.
	sh.Config.Vars["cursor-position-probe"] = false
	sh.AcceptMultiline = func(line []rune) bool { return !incomplete(string(line)) }
	sh.Completer = r.complete
	if r.style {
		sh.SyntaxHighlighter = func(line []rune) string { return r.highlight(string(line)) }
	}
	path, err := historyPath()
	failed := func(err error) {
		r.paint(r.err, dim, "note: the history is not kept: "+err.Error())
		fmt.Fprintln(r.err)
	}
	if err != nil {
		failed(err)
	}
	sh.History.Add("history", openHistory(path, failed))
	return sh
}

// bindTab makes Tab insert the common beginning of all candidates and list them with their descriptions, as shells do,
// instead of inserting the first candidate. A ~/.inputrc that binds Tab to another command wins.
func bindTab(sh *readline.Shell) {
	tab := inputrc.Unescape(`\C-i`)
	for _, binds := range sh.Config.Binds {
		if b, ok := binds[tab]; ok && b.Action == "complete" {
			binds[tab] = inputrc.Bind{Action: "menu-complete"}
		}
	}
	sh.Config.Vars["menu-complete-display-prefix"] = true
}

// complete offers commands after a colon, and names elsewhere.
func (r *repl) complete(line []rune, cursor int) readline.Completions {
	before := string(line[:cursor])
	if strings.HasPrefix(before, ":") && !strings.ContainsAny(before, " \t\n") {
		return completeCommand()
	}
	if name, _, ok := splitCommand(before); ok { // completes the argument of a command
		at := len(name) + 1
		before = strings.Repeat(" ", at) + before[at:]
	}
	resp := r.session.Complete(service.CompleteRequest{Expr: before, Cursor: len(before)})
	word := before[strings.LastIndexAny(before, " \t\n")+1:]
	prefix := word[:max(0, len(word)-(len(before)-resp.Start))] // the line editor completes words between blanks
	var cs []readline.Completion
	for _, c := range resp.Candidates {
		value := prefix + c.Name
		if c.Class == service.ClassFunction {
			value += "("
		}
		cs = append(cs, readline.Completion{Value: value, Display: c.Name, Description: describe(c)})
	}
	if strings.HasPrefix(string(line), ":h") {
		cs = append(cs, completeTerm(word)...)
	}
	return readline.CompleteRaw(cs).NoSort().NoSpace()
}

// completeTerm offers the terms of the glossary that begin with word. Blanks in names are underscores, which mean the
// same.
func completeTerm(word string) []readline.Completion {
	var cs []readline.Completion
	for _, term := range glossary.Names() {
		if name := strings.ReplaceAll(term, " ", "_"); word != "" && strings.HasPrefix(name, word) {
			about := glossary.Text(term, glossary.English)
			cs = append(cs, readline.Completion{Value: name, Display: name, Description: about})
		}
	}
	return cs
}

// describe returns the parameters and the first sentence of a function.
func describe(c service.Candidate) string {
	if c.Signature == "" {
		return string(c.Class)
	}
	return strings.TrimPrefix(c.Signature, c.Name) + " " + c.Summary
}

func completeCommand() readline.Completions {
	var cs []readline.Completion
	for _, c := range commands() {
		cs = append(cs, readline.Completion{Value: ":" + c.name, Display: ":" + c.name, Description: c.doc})
	}
	return readline.CompleteRaw(cs)
}

// highlight colours a line and keeps every byte of it.
func (r *repl) highlight(line string) string {
	var b strings.Builder
	at := 0 // everything before this position has been written
	if strings.HasPrefix(line, ":") {
		at = len(line)
		if i := strings.IndexAny(line, " \t\n"); i >= 0 {
			at = i
		}
		b.WriteString(r.style.paint(dim, line[:at]))
	}
	start := at
	for _, t := range r.session.Tokens(line[start:]) {
		b.WriteString(line[at : start+t.Pos])
		b.WriteString(r.style.token(t.Class, line[start+t.Pos:start+t.End]))
		at = start + t.End
	}
	b.WriteString(line[at:])
	return b.String()
}
