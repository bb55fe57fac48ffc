package interp

import "girih/internal/lang/program"

// This file reports the values of statements: what they bind, and what their expression has.

// watch reports the values of a statement that has been run.
func (r *runner) watch(st program.Stmt) {
	at := program.Span{From: st.Pos(), To: st.End()}
	switch st := st.(type) {
	case *program.Value:
		if _, isText := st.X.(*program.Text); !isText {
			r.watchValue(at, "", r.seen)
		}
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
	w := Watched{At: at, Name: name}
	if a, err := r.asAlgebra(v); err == nil {
		w.Result, w.Text = a.Result, a.Value.String()
	} else if w.Text, err = r.str(v); err != nil {
		return
	}
	r.Watch(w)
}
