package interp

import (
	"girih/atom"
	"girih/internal/lang/program"
)

// This file reports the values of statements: what they bind, and what their expression has.

// begins reports that a statement begins.
func (r *runner) begins(st program.Stmt) {
	if r.Begin != nil && r.nested == 0 && r.isFollowed() {
		r.Begin(program.Span{From: st.Pos(), To: st.End()})
	}
}

// isWatched reports whether the values of a statement that has been run are reported.
func (r *runner) isWatched(st program.Stmt) bool {
	switch {
	case r.Watch == nil || !r.isFollowed():
		return false
	case r.nested == 0:
		return true
	}
	return r.Within != nil && r.Within(st, r.src)
}

// isFollowed reports whether the thread that runs is the one that readers follow: thread 0 of block 0, or the thread
// that a program is which is run by a block.
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

// watch reports the values of a statement that has been run.
func (r *runner) watch(st program.Stmt) {
	at := program.Span{From: st.Pos(), To: st.End()}
	switch st := st.(type) {
	case *program.Value:
		if _, isText := st.X.(*program.Text); !isText && r.nested == 0 {
			r.watchValue(at, "", r.seen)
		}
	case *program.Return:
		r.watchValue(at, "return", r.result)
	case *program.Assign:
		for _, t := range st.Targets {
			r.watchTarget(at, t)
		}
	case *program.Augment:
		r.watchTarget(at, st.Target)
	case *program.Declare:
		for _, d := range st.Names {
			r.watchName(at, d.Name)
		}
	case *program.Using:
		r.watchName(at, st.Name)
	}
}

func (r *runner) watchTarget(at program.Span, target program.Expr) {
	switch t := target.(type) {
	case *program.Name:
		r.watchName(at, t.Name)
	case *program.Tuple:
		for _, e := range t.Elems {
			r.watchTarget(at, e)
		}
	}
}

func (r *runner) watchName(at program.Span, name string) {
	if v, err := r.lookupValue(name); err == nil {
		r.watchValue(at, name, v)
	}
}

func (r *runner) watchValue(at program.Span, name string, v Value) {
	switch v.(type) {
	case nil, None, *Func, *Builtin:
		return
	}
	w := Watched{Src: r.src, At: at, Inside: r.nested > 0, Name: name}
	if a, err := r.asAlgebra(v); err == nil {
		w.Result, w.Text = a.Result, a.Value.String()
	} else if w.Text, err = r.str(v); err != nil {
		return
	}
	if a, ok := v.(Algebra); ok && r.Begin != nil && a.isTensor() {
		part := partOf(a, "", atom.TiledMMA{}, 0)
		text, _ := r.tensorText(a)
		o := part.operand("", text)
		o.Before = r.texts(part)
		o.After = o.Before
		w.Memory = &o
	}
	r.Watch(w)
}
