package interp

import (
	"sort"

	"girih/atom"
	"girih/internal/lang/program"
)

// This file reports the values of statements: the values that they bind, and the values of their expressions.

// begins reports that a statement is about to run.
func (r *runner) begins(st program.Stmt) {
	if r.Begin != nil && r.isFollowed() && (r.calls == 0 || r.isMain()) {
		r.Begin(program.Span{From: st.Pos(), To: st.End()})
	}
}

// isMain reports whether the current statement belongs to main itself.
func (r *runner) isMain() bool {
	s := r.functionScope()
	return r.calls == 1 && s != nil && s.fn.Def.Name == "main" && s.fn.Def.Lang == program.Cpp
}

// isWatched reports whether the values of a statement that has run must be reported.
func (r *runner) isWatched(st program.Stmt) bool {
	switch {
	case r.Watch == nil || !r.isFollowed():
		return false
	case r.nested == 0:
		return true
	}
	return r.Within != nil && r.Within(st, r.src)
}

// isFollowed reports whether the running thread is reported to the readers of the machine. This is thread 0 of block 0
// or, if a block runs the program, the thread that the program asked for.
func (r *runner) isFollowed() bool {
	switch k := r.kernel; {
	case k == nil:
		return true
	case r.all != nil:
		return k.now.id == r.all.thread
	default:
		return k.now.id == 0 && k.index == [3]int64{}
	}
}

// watch reports the values of a statement that has run.
func (r *runner) watch(st program.Stmt) {
	w := watched{r: r, at: program.Span{From: st.Pos(), To: st.End()}}
	switch st := st.(type) {
	case *program.Value:
		if _, isText := st.X.(*program.Text); !isText && r.nested == 0 {
			w.x = st.X
			w.value("", r.seen)
		}
	case *program.Return:
		w.x = st.X
		w.value("return", r.result)
	case *program.Assign:
		w.x = st.X
		for _, t := range st.Targets {
			w.target(t)
		}
	case *program.Augment:
		w.target(st.Target)
	case *program.Declare:
		for _, d := range st.Names {
			w.x = nil
			if d.Form == '=' {
				w.x = d.X
			}
			w.name(d.Name)
		}
	case *program.Using:
		w.name(st.Name)
	}
}

// A watched is a statement whose values are reported. It does not embed the runner: the type would describe all methods
// of the runner again, which is 20 kB.
type watched struct {
	r  *runner
	at program.Span
	x  program.Expr // see Watched.X
}

func (w watched) target(target program.Expr) {
	switch t := target.(type) {
	case *program.Name:
		w.name(t.Name)
	case *program.Tuple:
		w.x = nil
		for _, e := range t.Elems {
			w.target(e)
		}
	}
}

func (w watched) name(name string) {
	if v, err := w.r.lookupValue(name); err == nil {
		w.value(name, v)
	}
}

func (w watched) value(name string, v Value) {
	switch v.(type) {
	case nil, None, *Func, *Builtin:
		return
	}
	r := w.r
	out := Watched{Src: r.src, At: w.at, Inside: r.nested > 0, X: w.x, Name: name, Operands: w.operands}
	a, err := r.asAlgebra(v)
	if err == nil {
		out.Result, out.Text = a.Result, a.Value.String()
	} else if out.Text, err = r.str(v); err != nil {
		return
	}
	if a, ok := v.(Algebra); ok && r.Begin != nil && a.isTensor() {
		part := partOf(a, "", atom.TiledMMA{}, 0)
		own := *a.window
		own.host = false             // the text of an array would contain the elements again
		a.window, a.late = &own, nil // the run-time layout, like the elements
		text, _ := r.tensorText(a)
		o := part.operand("", text)
		o.Before = r.texts(part)
		o.Coords, o.Places = nil, nil // they follow from the shape
		out.Memory = &o               // its Name is the text of the tensor
	}
	r.Watch(out)
}

// operands implements [Watched.Operands].
func (w watched) operands() (x string, names map[string]string) {
	names = make(map[string]string)
	var found []*program.Name
	program.Walk(w.x, func(y program.Expr) bool {
		switch y := y.(type) {
		case *program.Name:
			found = append(found, y)
		case *program.Girih:
			for _, word := range wordsOf(w.r.src[y.From:y.To]) {
				if text := w.operand(word); text != "" {
					names[word] = text
				}
			}
		}
		return true
	})
	sort.Slice(found, func(i, j int) bool { return found[i].From < found[j].From })
	at := w.x.Pos()
	for i, n := range found {
		text := w.operand(n.Name)
		if n.Path != "" || text == "" {
			continue
		}
		own := "v" + itoa(int64(i)) // the name may have a meaning in girih
		names[own] = text
		x += w.r.src[at:n.From] + own
		at = n.To
	}
	return x + w.r.src[at:w.x.End()], names
}

// operand returns the value of a name as text in girih's notation, or "" if girih has no such value.
func (w watched) operand(name string) string {
	v, err := w.r.lookupValue(name)
	if err != nil || v == nil {
		return ""
	}
	a, err := w.r.asAlgebra(v)
	if err != nil {
		return ""
	}
	return a.Value.String()
}
