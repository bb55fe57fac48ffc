package kernel

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// Listing returns the kernel as PTX, with comments that name the sources of its instructions: the tensors and their
// layouts, the atoms, the lines of the kernel and its loops. The lines that about returns come first. Without the
// comments it is the text of Module, except that the registers of fragments have the names of [K.Name].
func (k *Kernel) Listing(about ...string) string {
	f := k.Module.Func(ptx.Name(k.Name))
	if f == nil {
		return ""
	}
	notes, names := k.notes(), k.legend("%")
	head, body, _ := strings.Cut(k.Module.String(), "\n{\n")
	var b strings.Builder
	for _, line := range append(about, k.about()...) {
		b.WriteString("// " + ascii(line) + "\n")
	}
	b.WriteString(head + "\n{\n")
	for _, line := range names.lines {
		b.WriteString("\t" + ascii(line) + "\n")
	}
	lines := strings.Split(body, "\n")
	for s := range f.Stmts() {
		if _, ok := s.(*ptx.Block); ok {
			continue
		}
		for strings.Trim(lines[0], "\t{}") == "" { // a scope begins or ends
			b.WriteString(lines[0] + "\n")
			lines = lines[1:]
		}
		for _, note := range notes[s] {
			b.WriteString("\t// " + ascii(note) + "\n")
		}
		b.WriteString(names.rename(lines[0]) + "\n")
		lines = lines[1:]
	}
	b.WriteString(strings.Join(lines, "\n"))
	return b.String()
}

// signs maps the signs of formulas to ASCII: ptxas rejects other characters even in comments.
var signs = strings.NewReplacer("Σ", "sum", "·", "*", "×", "x", "≤", "<=", "≥", ">=", "→", "->", "∘", "o")

// ascii returns a text in characters that ptxas accepts.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, signs.Replace(text))
}

// about returns what a launch must know and what is in shared memory, one fact per line.
func (k *Kernel) about() []string {
	grid := k.GridText()
	text := fmt.Sprintf("%s: blocks of %d threads", k.Name, k.Threads)
	if len(grid) > 0 {
		text += fmt.Sprintf(", (%s) of them", strings.Join(grid, ", "))
	}
	if k.Cluster != [3]int64{} {
		text += fmt.Sprintf(", in clusters of %d by %d by %d", k.Cluster[0], k.Cluster[1], k.Cluster[2])
	}
	out := []string{text}
	if k.Dynamic > 0 {
		out = append(out, fmt.Sprintf("%d bytes of shared memory, which the launch gives", k.Dynamic))
	} else if k.Shared > 0 {
		out = append(out, fmt.Sprintf("%d bytes of shared memory", k.Shared))
	}
	for _, p := range k.placed {
		out = append(out, p.String())
	}
	for _, p := range k.Params {
		if !p.Pointer && p.Facts.Max != 0 {
			out = append(out, fmt.Sprintf("%s: from %d to %d, a multiple of %d", p.Name, p.Facts.Min, p.Facts.Max,
				max(p.Facts.Div, 1)))
		}
	}
	return out
}

// notes returns the comments before statements, where the accesses of one line, the instructions of one call or a loop
// begin.
func (k *Kernel) notes() map[ptx.Stmt][]string {
	out := map[ptx.Stmt][]string{}
	var last *transfer
	for i := range k.accesses {
		a := &k.accesses[i]
		if last == nil || !k.alike(last, a) {
			out[a.in] = append(out[a.in], a.what())
		}
		last = a
	}
	for _, m := range k.made {
		c := m.call()
		text := fmt.Sprintf("%s:%d: %d %s", c.File, c.Line, c.Count, c.Atom)
		out[m.first] = append(append(out[m.first], text), c.From...)
	}
	for _, t := range k.turns {
		out[t.top] = append(out[t.top], t.what())
	}
	return out
}

// what returns what an access was made from.
func (a *transfer) what() string {
	file, line := a.place()
	text := fmt.Sprintf("%s:%d: ", file, line)
	if a.atom != "" {
		text += a.atom + ": "
	}
	r := a.sides[0].in
	if len(a.sides) > 1 {
		from := a.sides[1].in
		each := "a lane"
		if a.engine != nil {
			each = "a copy"
		}
		return text + fmt.Sprintf("%s %s to %s %s, %d bytes %s", from.name, from.layout(), r.name, r.layout(), a.bytes, each)
	}
	verb := "from"
	if slices.Contains([]string{"st", "stmatrix"}, a.op.Name()) {
		verb = "to"
	}
	return text + fmt.Sprintf("%d bytes a lane %s %s %s", a.bytes, verb, r.name, r.layout())
}
