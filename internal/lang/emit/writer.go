package emit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
)

// A dialect is what differs between the two languages.
type dialect struct {
	text          func(r row) string
	words         string // names that tensors cannot have
	symbols       map[string]string
	alone         func(symbol string) string // a symbol that is a whole coordinate
	open          string                     // the underscore
	div           string
	and           string
	never, always string
	wide          func(name string) string // a 64-bit number
	tuple         func(make string, xs []string) string
	end           string // of a statement
	fork          string // an if, with its condition
	loop          string // a loop, with its counter, first and last
	otherwise     string
	close         string
	comment       string
	declare       map[makes]string
	indent        string
	call          func(name string, args ...string) string
	pass          string // the statement of an empty body
	space         string // of the tensors that predicates come from
	root          string // the predicates of a whole tensor
	pred          func(w *writer, of []ID) string
}

// A writer writes the body of a kernel.
type writer struct {
	p     *Program
	d     *dialect
	b     strings.Builder
	names namer
	parts map[ID]name
	own   map[ID]string // the text of a step's result
	guard map[ID]string // the same of the predicates of a tensor
	needs map[ID]bool   // tensors whose predicates are used
	marks map[ID]bool   // shared memory that the TMA or wgmma reads
	tools []tool
	depth int
	views []map[string]ID // the views with a name, by the depth of their scope
	known map[string]bool // the parameters and the counters of loops
	err   error
}

func newWriter(p *Program, d *dialect) *writer {
	w := &writer{
		p: p, d: d, names: newNamer(d.words), parts: map[ID]name{}, own: map[ID]string{}, guard: map[ID]string{},
		needs: map[ID]bool{}, marks: map[ID]bool{}, depth: 1,
	}
	w.known = map[string]bool{}
	for _, q := range p.Params {
		w.known[q.Name] = true
		names := []string{q.Name}
		if q.Map {
			names = []string{q.Name, "tma_" + q.Name, "tma_tensor_" + q.Name, "Tma" + upper(q.Name)}
		}
		for _, name := range names {
			if w.names.used[name] {
				w.refuse(cute.CodeName, "the parameter %s needs the name %s, which something else in the text has", q.Name, name)
			}
			w.names.used[name] = true
		}
	}
	w.prepare()
	return w
}

func (w *writer) step(id ID) *Step {
	if id < 1 {
		return &Step{}
	}
	return &w.p.Steps[id-1]
}

// id returns the number of a step of the program.
func (w *writer) id(s *Step) ID {
	for i := range w.p.Steps {
		if s == &w.p.Steps[i] {
			return ID(i + 1)
		}
	}
	return 0
}

// refuse keeps the first reason why the kernel cannot be written.
func (w *writer) refuse(code cute.Code, format string, args ...any) {
	if w.err == nil {
		w.err = &cute.Error{Code: code, Op: "emit", Msg: fmt.Sprintf(format, args...)}
	}
}

// source returns the tensor that a step views, and 0 for a step that makes one.
func (s *Step) source() ID {
	switch {
	case len(s.Of) == 0 || strings.HasPrefix(s.Op, "make_"):
		return 0
	case strings.HasPrefix(s.Op, "partition_"):
		return s.Of[1]
	}
	return s.Of[0]
}

// root returns the step of the memory that a tensor is a part of.
func (w *writer) root(id ID) ID {
	for s := w.step(id); s.source() > 0; s = w.step(id) {
		id = s.source()
	}
	return id
}

// guards returns the operands of a step whose elements may be outside.
func (w *writer) guards(s *Step) []ID {
	if s.Op != "copy_if" && s.Op != "copy_zfill" && s.Op != "axpby" && !s.zfill() {
		return nil
	}
	var out []ID
	for _, id := range s.Of {
		if w.step(w.root(id)).Op == "global" {
			out = append(out, id)
		}
	}
	return out
}

// zfill reports whether a step is a tiled copy that writes zeros for elements outside.
func (s *Step) zfill() bool {
	return s.Op == "copy_tiled" && strings.Contains(s.Copy.Atom().Name, "_ZFILL")
}

// prepare finds the tensors whose predicates are needed, the shared memory with marked layouts, and the tiled
// operations.
func (w *writer) prepare() {
	for i := range w.p.Steps {
		s := &w.p.Steps[i]
		for _, id := range w.guards(s) {
			for ; id > 0 && !w.needs[id]; id = w.step(id).source() {
				w.needs[id] = true
			}
		}
		if s.Op == "make_tma_atom" {
			w.marks[w.root(s.Of[1])] = true
		}
		if m := w.step(first(s.Of)).MMA; m != nil && strings.HasPrefix(s.Op, "make_fragment_") {
			if describes(m.Atom(), s.Op[len(s.Op)-1:]) {
				w.marks[w.root(s.Of[1])] = true
			}
		}
		w.tool(s)
	}
}

func first(ids []ID) ID {
	if len(ids) == 0 {
		return 0
	}
	return ids[0]
}

// operand returns the text of a step's result.
func (w *writer) operand(id ID) string {
	s := w.step(id)
	switch s.Op {
	case "scalar":
		return s.Name
	case "number":
		return w.element(s.Type) + "(" + w.number(s.X) + ")"
	}
	text, ok := w.own[id]
	if !ok {
		w.refuse(cute.CodeType, "an operand of %s is not known", s.Op)
	}
	return text
}

// number returns a constant.
func (w *writer) number(x float64) string {
	switch {
	case math.IsInf(x, 0) || math.IsNaN(x):
		w.refuse(cute.CodeType, "the constant %v has no literal", x)
	case x == 0 && math.Signbit(x):
		return "-0.0" // -0 is the integer 0
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// body writes all steps.
func (w *writer) body() {
	byName := map[string]row{}
	for _, r := range rows {
		byName[r.op] = r
	}
	for i := range w.p.Steps {
		s, id := &w.p.Steps[i], ID(i+1)
		if w.control(s) || w.tma(s, id) {
			continue
		}
		op := w.form(s)
		r, ok := byName[op]
		if !ok || w.d.text(r) == "" {
			w.refuse(cute.CodeType, "%s cannot be written", op)
			return
		}
		w.write(s, id, r)
	}
}

// form returns the row of a step: which of the forms of a copy, a product or a constant it needs.
func (w *writer) form(s *Step) string {
	op, guards := s.Op, len(w.guards(s)) > 0
	limited := s.N > 0 && (op == "copy" || op == "copy_tiled" && s.Copy.Atom().Kind == atom.UniversalCopy)
	switch {
	case guards && (op == "axpby" || op == "copy_tiled"):
		return op + "_if"
	case !guards && (op == "copy_if" || op == "copy_zfill"):
		return "copy"
	case op == "fill" && math.Float64bits(s.X) == 0: // not -0
		return "clear"
	case limited:
		return "copy_aligned"
	case s.N > 0 && strings.HasPrefix(op, "gemm"):
		w.refuse(cute.CodeType, "the operands of gemm are not known to be aligned as CuTe's gemm assumes")
	}
	return op
}

// control writes loops and conditions, and passes over what has no statement.
func (w *writer) control(s *Step) bool {
	switch s.Op {
	case "for":
		if len(s.At) < 3 { // no iteration
			w.line(fmt.Sprintf(w.d.fork, w.d.never))
			w.depth++
			return true
		}
		counter := s.At[2].X.String()
		if _, once := s.At[2].X.Int64(); once {
			counter = w.names.unique("i") // the algebra has its only value
		} else if w.names.used[counter] && !w.known["for "+counter] {
			w.refuse(cute.CodeName, "%s is the name of a parameter and of the counter of a loop", counter)
		}
		w.known[counter], w.known["for "+counter] = true, true
		w.line(fmt.Sprintf(w.d.loop, counter, w.index(s.At[0].X), w.index(s.At[1].X)))
		w.depth++
	case "if":
		w.opens(s.Cond)
	case "else":
		w.passes()
		w.views = w.views[:min(len(w.views), w.depth)]
		w.depth--
		w.line(w.d.otherwise)
		w.depth++
	case "end":
		w.closes()
	case "scalar", "number", "second":
	default:
		return false
	}
	return true
}

// opens begins the body of a condition. In Python an election is a context.
func (w *writer) opens(c *Cond) {
	elects := w.d.pass != "" && len(c.Holds) > 0
	switch {
	case elects && len(c.Holds)+len(c.Less) > 1:
		w.refuse(cute.CodeType, "a condition has an election and other parts, and Python elects in a statement of its own")
	case elects:
		w.line("with cute.arch.elect_one():")
	default:
		w.line(fmt.Sprintf(w.d.fork, w.condition(c)))
	}
	w.depth++
}

// closes ends a body.
func (w *writer) closes() {
	w.passes()
	w.views = w.views[:min(len(w.views), w.depth)]
	if w.depth--; w.d.close != "" {
		w.line(w.d.close)
	}
}

// passes ends a body that may be empty.
func (w *writer) passes() {
	if text := w.b.String(); w.d.pass != "" && strings.HasSuffix(text, ":\n") {
		w.line(w.d.pass)
	}
}

// write writes a step by its row.
func (w *writer) write(s *Step, id ID, r row) {
	text := w.fill(w.d.text(r), s, w.operand)
	switch r.makes {
	case nothing:
		conditional := s.Cond != nil && !strings.Contains(w.d.text(r), "{cond}")
		if conditional {
			w.opens(s.Cond)
		}
		w.line(text + w.d.end)
		if conditional {
			w.closes()
		}
		return
	case part:
		w.own[id], w.parts[id] = text, w.parts[s.Of[0]]
	case object:
		w.own[id] = w.names.unique(map[string]string{"thr_mma": "thr_mma", "thr_copy": "thr_copy", "barriers": varOf(s)}[s.Op])
		w.line(fmt.Sprintf(w.d.declare[object], w.own[id], text) + w.d.end)
	case number:
		w.own[id] = w.names.unique(map[bool]string{true: "elected", false: "x"}[s.Op == "elect_one_sync"])
		if s.Op == "elect_one_sync" && w.d.pass != "" {
			return // see opens
		}
		text = fmt.Sprintf(w.d.declare[number], w.own[id], text) + w.d.end
		if s.Type != 0 && w.d == &cpp {
			text = strings.Replace(text, "auto", w.element(s.Type), 1) // an element below a byte is a reference
		}
		w.line(text)
	case tensor:
		if same := w.earlier(text, s, id); same > 0 {
			w.own[id], w.parts[id] = w.own[same], w.parts[same]
			if g, ok := w.guard[same]; ok {
				w.guard[id] = g
				return
			}
			break
		}
		w.parts[id] = w.nameOf(s)
		w.own[id] = w.names.unique(w.parts[id].String())
		w.declare(fmt.Sprintf(w.d.declare[tensor], w.own[id], text), s)
	}
	w.predicates(s, id, r)
}

// earlier returns a step that made the same view, whose name is known here, and 0 if there is none.
func (w *writer) earlier(text string, s *Step, id ID) ID {
	if s.source() == 0 {
		return 0
	}
	for len(w.views) <= w.depth {
		w.views = append(w.views, map[string]ID{})
	}
	for _, views := range w.views[:w.depth+1] {
		if same, ok := views[text]; ok {
			return same
		}
	}
	w.views[w.depth][text] = id
	return 0
}

// predicates writes the predicates of a tensor, which are its coordinates compared with the shape, divided as it is.
func (w *writer) predicates(s *Step, id ID, r row) {
	if !w.needs[id] {
		return
	}
	if s.Op == "global" {
		w.guard[id] = w.names.unique(w.parts[id].predicates(w.d.space).String())
		w.line(fmt.Sprintf(w.d.root, w.guard[id], w.own[id]) + w.d.end)
		return
	}
	text := w.fill(w.d.text(r), s, func(of ID) string {
		if g, ok := w.guard[of]; ok {
			return g
		}
		return w.operand(of)
	})
	if w.guard[id] = text; r.makes == tensor {
		w.guard[id] = w.names.unique(w.parts[id].predicates(w.d.space).String())
		w.line(fmt.Sprintf(w.d.declare[tensor], w.guard[id], text) + w.d.end)
	}
}

// declare writes a statement with the shape of the tensor that it makes.
func (w *writer) declare(text string, s *Step) {
	text += w.d.end
	if len(s.Shape) > 0 {
		text = fmt.Sprintf("%-76s %s (%s)", text, w.d.comment, ascii(strings.Join(s.Shape, ",")))
	}
	w.line(text)
}

// ascii returns a formula in letters that all compilers accept.
func ascii(text string) string { return strings.ReplaceAll(text, "·", "*") }

func (w *writer) line(text string) {
	for one := range strings.Lines(text) {
		w.b.WriteString(strings.Repeat(w.d.indent, w.depth) + strings.TrimSuffix(one, "\n") + "\n")
	}
}

// fill returns the text of a row with the words of a step.
func (w *writer) fill(text string, s *Step, operand func(ID) string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		key, after, _ := strings.Cut(rest, "}")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if key == "" || strings.HasPrefix(after, "}") && key == "" { // {} of C++
			out.WriteString("{}")
		} else {
			out.WriteString(w.replace(key, s, operand))
		}
		text = after
	}
}

// replace returns the text of a word in braces.
func (w *writer) replace(key string, s *Step, operand func(ID) string) string {
	if n, err := strconv.Atoi(key); err == nil && n <= len(s.Of) {
		return operand(s.Of[n-1])
	}
	if rest, ok := strings.CutPrefix(key, "at"); ok {
		at := w.coordinates(s.At)
		if n, err := strconv.Atoi(rest); err == nil && n <= len(at) {
			return at[n-1]
		}
		return strings.Join(at, ", ")
	}
	if f, ok := texts[key]; ok {
		return f(w, s)
	}
	return "{" + key + "}"
}

// texts are the other words that rows have in braces.
var texts = map[string]func(w *writer, s *Step) string{
	"in":     func(w *writer, s *Step) string { return strings.Join(w.coordinates(s.At), ",") },
	"name":   func(_ *writer, s *Step) string { return s.Name },
	"name1":  func(w *writer, s *Step) string { return w.step(w.step(s.Of[0]).Of[0]).Name },
	"var":    func(_ *writer, s *Step) string { return varOf(s) },
	"type":   func(w *writer, s *Step) string { return w.element(s.Type) },
	"type1":  func(w *writer, s *Step) string { return "decltype(" + w.operand(s.Of[0]) + ")::value_type" },
	"n":      func(_ *writer, s *Step) string { return strconv.FormatInt(s.N, 10) },
	"x":      func(w *writer, s *Step) string { return w.number(s.X) },
	"tile":   func(w *writer, s *Step) string { return w.tile(s.Tile) },
	"layout": (*writer).layout,
	"proj":   func(w *writer, s *Step) string { return w.projection(s.Proj) },
	"shape":  func(w *writer, s *Step) string { return w.extents("shape", s.At[:len(s.At)/2]) },
	"stride": func(w *writer, s *Step) string { return w.extents("stride", s.At[len(s.At)/2:]) },
	"mma":    (*writer).toolOf,
	"mma1":   func(w *writer, s *Step) string { return w.toolOf(w.step(s.Of[0])) },
	"copy":   (*writer).toolOf,
	"pred":   func(w *writer, s *Step) string { return w.d.pred(w, w.guards(s)) },
	"cond":   func(w *writer, s *Step) string { return w.condition(s.Cond) },
}

// varOf returns the name of a member of the shared memory.
func varOf(s *Step) string {
	if s.Op == "shared" {
		return upper(s.Name)
	}
	return strings.ReplaceAll(s.Name, ".", "_")
}
