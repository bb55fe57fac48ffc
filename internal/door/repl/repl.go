package repl

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"girih/internal/glossary"
	"girih/internal/lang/report"
	"girih/internal/service"
	"girih/internal/terminal"
)

// Exit statuses.
const (
	statusOK     = 0
	statusFailed = 1 // an expression failed, or an error of the input or output
)

// Run reads from stdin until its end, or until :quit. On a terminal it edits lines and returns 0. Otherwise it reads
// plain lines, writes values to stdout and everything else to stderr, and returns 1 if an expression failed.
func Run(stdin io.Reader, stdout, stderr io.Writer) int {
	r := &repl{out: terminal.NewWriter(stdout), err: terminal.NewWriter(stderr), style: newStyle(stdout)}
	if terminal.Is(stdin) && terminal.Is(stdout) && os.Getenv("TERM") != "dumb" {
		r.width = textWidth
		return r.interactive()
	}
	return r.plain(stdin)
}

// A repl is one session with its outputs.
type repl struct {
	session  service.Session
	out, err *terminal.Writer
	style    style
	width    int  // the width at which prose in errors is wrapped, in columns; 0 if a program may read it
	failed   bool // an expression failed
}

// A command is a line that begins with a colon. Its name may be shortened: among the matching commands, the first of
// the table runs, so :s is :set and :sh is :show.
type command struct {
	name, args, doc string
	run             func(r *repl, arg string) // nil ends the session
}

// commands is the table of commands. Help and completion are made from it: a new command is a row and a method.
func commands() []command {
	return []command{
		{"help", "NAME", "explain a function or a term, or list the functions", (*repl).help},
		{"layout", "EXPR", "print a layout as a grid of its offsets", (*repl).layout},
		{"coords", "EXPR", "the same, with nested coordinates on the axes", (*repl).coords},
		{"draw", "EXPR", "draw it, as text", (*repl).draw},
		{"explain", "EXPR", "say step by step why it is what it is", (*repl).explain},
		{"bank", "TYPE ACCESS EXPR", "show the bank conflicts: :bank f16 ldmatrix.x4 8:1", (*repl).bank},
		{"set", "M=4096,...", "give run-time integers values; without any, forget them", (*repl).set},
		{"show", "EXPR", "write it as C++, Python, MLIR, ...", (*repl).show},
		{"vars", "", "list the names bound with let, and their values", (*repl).vars},
		{"quit", "", "leave, as Ctrl-D does", nil},
	}
}

// handle evaluates one complete input and reports whether the session goes on.
func (r *repl) handle(input string) bool {
	r.session.Alone()
	input = strings.TrimSpace(input)
	name, arg, isCommand := splitCommand(input)
	switch {
	case isCommand:
	case (input == "quit" || input == "exit") && !slices.Contains(r.session.Vars(), input):
		return false
	default:
		r.eval(input)
		return true
	}
	for _, c := range commands() {
		// A command may be abbreviated. If two commands begin alike, the first is taken.
		if name == "" || !strings.HasPrefix(c.name, name) {
			continue
		}
		if c.run != nil {
			c.run(r, arg)
		}
		return c.run != nil
	}
	r.fail(fmt.Sprintf("there is no command :%s; :help lists them\n", name))
	return true
}

// splitCommand splits ":name arg".
func splitCommand(input string) (name, arg string, ok bool) {
	rest, ok := strings.CutPrefix(input, ":")
	if !ok {
		return "", input, false
	}
	if i := strings.IndexAny(rest, " \t\n"); i >= 0 {
		return rest[:i], strings.TrimSpace(rest[i:]), true
	}
	return rest, "", true
}

// incomplete reports whether the input needs another line.
func incomplete(input string) bool {
	_, arg, _ := splitCommand(strings.TrimLeft(input, " \t\n"))
	return service.Incomplete(arg)
}

func (r *repl) eval(src string) {
	if r.session.IsProgram(src) {
		r.run(src)
		return
	}
	v := r.session.Eval(service.EvalRequest{Expr: src, Correct: true})
	if !v.OK {
		r.report(v.Error, src)
		return
	}
	if v.Kind == service.KindNone {
		return
	}
	fmt.Fprintln(r.out, v.Value)
	r.notes(v.Notes)
	r.session.Keep(last)
}

// run runs statements of Python and C++. It prints what they bind, as let does.
func (r *repl) run(src string) {
	resp := r.session.RunShown(service.RunRequest{Program: src}, func(text string) error {
		_, err := io.WriteString(r.out, text)
		return err
	}, func(_, value string) { fmt.Fprintln(r.out, value) })
	r.session.Keep(last)
	r.notes(resp.Notes)
	if !resp.OK {
		r.report(resp.Error, resp.In)
	}
}

// last is the name of the value of the last expression. It is not a word of CuTe, as _ is.
const last = "ans"

func (r *repl) report(e *report.Error, src string) {
	text := e.Report(src, r.width)
	if rest, ok := strings.CutPrefix(text, "error:"); ok {
		r.paint(r.err, red, "error:")
		text = rest
	}
	r.fail(text)
}

// fail prints text and remembers that something failed.
func (r *repl) fail(text string) {
	r.failed = true
	io.WriteString(r.err, text)
}

func (r *repl) notes(notes []string) {
	for _, n := range notes {
		r.paint(r.err, dim, "note: "+report.OneLine(n))
		fmt.Fprintln(r.err)
	}
}

// set gives run-time integers their values.
func (r *repl) set(arg string) {
	var list []string
	if arg != "" {
		list = strings.Split(arg, ",")
	}
	values, err := service.ParseValues(list)
	if err != nil {
		r.fail(err.Error() + "\n")
		return
	}
	r.session.Set(values)
}

func (r *repl) help(name string) {
	if name == "" {
		io.WriteString(r.out, overview())
		return
	}
	language := ""
	if rest, ok := strings.CutPrefix(name, "--lang "); ok {
		language, name, _ = strings.Cut(strings.TrimSpace(rest), " ")
		if _, err := glossary.ParseLanguage(language); err != nil {
			r.fail(err.Error() + "\n")
			return
		}
	}
	h := service.Help(service.HelpRequest{Name: name, Lang: language})
	switch {
	case h.OK:
		io.WriteString(r.out, h.Text(textWidth))
	case len(h.Suggestions) > 0:
		r.fail(fmt.Sprintf("there is no function or term %q: did you mean %s?\n", name, strings.Join(h.Suggestions, ", ")))
	default:
		r.fail(fmt.Sprintf("there is no function or term %q; :help lists functions, :help glossary terms\n", name))
	}
}

// textWidth is where prose is wrapped, in columns.
const textWidth = 80

func overview() string {
	var b strings.Builder
	b.WriteString(service.Wrap("Type an expression, such as (6,2):(8,2) o (4,3):(3,1), or let NAME = EXPR; Tab completes names; "+
		"ans is the last value, and what the commands take without EXPR.", textWidth, "", "") + "\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-24s%s\n", strings.TrimSpace(":"+c.name+" "+c.args), c.doc)
	}
	b.WriteString("\nFunctions:\n")
	for _, g := range service.Reference() {
		names := make([]string, len(g.Functions))
		for i, f := range g.Functions {
			names[i] = f.Name
		}
		b.WriteString(service.Wrap(g.Name+": "+strings.Join(names, ", "), textWidth, "  ", "    "))
	}
	return b.String()
}

func (r *repl) layout(src string) { r.grid(service.GridRequest{Expr: r.of(src)}) }

func (r *repl) coords(src string) { r.grid(service.GridRequest{Expr: r.of(src), Coords: true}) }

// of returns the expression of a command, the last value if there is no expression.
func (r *repl) of(arg string) string {
	if arg == "" && slices.Contains(r.session.Vars(), last) {
		return last
	}
	return arg
}

func (r *repl) draw(arg string) {
	color := "none"
	if r.style {
		color = service.TerminalColor(os.Getenv)
	}
	d := r.session.Draw(service.DrawRequest{Expr: r.of(arg), Format: "txt", Color: color, Width: terminal.Columns(r.out)})
	if !d.OK {
		r.report(d.Error, r.of(arg))
		return
	}
	// The service has already cleaned foreign text in a picture, so its escape sequences are only colors.
	_ = r.out.Raw([]byte(strings.TrimSuffix(d.Text, "\n") + "\n")) // the writer keeps its error
	r.notes(d.Notes)
}

func (r *repl) explain(arg string) {
	x := r.session.Explain(service.ExplainRequest{Expr: r.of(arg)})
	if !x.OK {
		r.report(x.Error, r.of(arg))
		return
	}
	io.WriteString(r.out, x.Text(textWidth))
	r.notes(x.Notes)
}

func (r *repl) show(arg string) {
	s := r.session.Show(service.ShowRequest{Expr: r.of(arg)})
	if !s.OK {
		r.report(s.Error, r.of(arg))
		return
	}
	io.WriteString(r.out, s.Text())
	r.notes(s.Notes)
}

func (r *repl) bank(arg string) {
	words := strings.Fields(arg)
	if len(words) < 2 {
		r.fail("expected :bank TYPE ACCESS EXPR, such as :bank f16 ldmatrix.x4 (8,64):(64,1)\n")
		return
	}
	expr := r.of(strings.Join(words[2:], " "))
	b := r.session.Bank(service.BankRequest{Expr: expr, Type: words[0], Accesses: words[1:2]})
	if !b.OK {
		r.report(b.Error, expr)
		return
	}
	io.WriteString(r.out, b.Text("girih bank -v shows all"))
	r.notes(b.Notes)
}

func (r *repl) grid(req service.GridRequest) {
	g := r.session.Grid(req)
	if !g.OK {
		r.report(g.Error, req.Expr)
		return
	}
	io.WriteString(r.out, g.Text)
	r.notes(g.Notes)
}

func (r *repl) vars(string) {
	for _, name := range r.session.Vars() {
		if name == last {
			continue
		}
		fmt.Fprintf(r.out, "%s = %s\n", name, r.session.Eval(service.EvalRequest{Expr: name}).Value)
	}
}
