package interp

import (
	"iter"
	"slices"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file runs generators. A generator is a coroutine with a separate state, like a thread of a kernel. It runs when
// its next value is requested, until its next yield.

// A generator is the coroutine of a generator of Python.
type generator struct {
	*python.Iterator
	r       *runner
	state   state
	resume  func() (Value, bool)
	stop    func()
	yield   func(Value) bool
	started bool
	running bool
	ended   bool
	dead    bool         // the program that made the generator has ended
	sent    Value        // the value that the yield at which it waits returns
	thrown  error        // the exception that this yield raises instead
	result  Value        // the value of its return statement
	err     error        // the error that ended it
	guards  int          // the number of open blocks that Python would run when it deletes the generator
	place   program.Node // the place where it was made
}

// maxGenerators limits the generators that wait at the same time. Each has the memory of a coroutine.
const maxGenerators = 10000

// newGenerator returns a generator that executes body.
func (r *runner) newGenerator(body func() (Value, error)) (*python.Iterator, error) {
	if r.waiting++; r.waiting > maxGenerators {
		return nil, errorf(cute.CodeLimit, "at most %d generators wait at the same time", maxGenerators)
	}
	g := &generator{r: r, state: r.state(), place: r.here}
	g.resume, g.stop = iter.Pull(func(yield func(Value) bool) {
		g.yield = yield
		g.result, g.err = body()
	})
	next := func() (Value, bool, error) { return g.next(None{}, nil) }
	g.Iterator = &python.Iterator{Name: "generator", Coroutine: g, Next: next}
	if r.generators == nil {
		r.generators = make(map[*generator]bool)
	}
	r.generators[g] = true
	return g.Iterator, r.hold(256)
}

// next resumes a generator: the yield at which it waits returns sent, or raises thrown.
func (g *generator) next(sent Value, thrown error) (Value, bool, error) {
	r := g.r
	switch {
	case g.dead:
		return nil, false, errorf(cute.CodeSyntax, "a generator of an earlier program is not run on: that program has ended")
	case g.running:
		return nil, false, python.ValueError("generator already executing")
	case g.ended:
		return nil, false, thrown
	case !g.started && thrown != nil:
		g.end()
		return nil, false, thrown
	case !g.started && sent != (None{}):
		return nil, false, python.TypeError("can't send non-None value to a just-started generator")
	case r.calls == maxCalls:
		return nil, false, errorf(cute.CodeLimit, "at most %d calls are open at the same time", maxCalls)
	}
	outer := r.state()
	s := g.state
	s.calls, s.trace, s.running, s.names = outer.calls+1, outer.trace, outer.running, outer.names
	s.generator = g
	r.restore(s)
	g.started, g.running, g.sent, g.thrown = true, true, sent, thrown
	v, more := g.resume()
	g.running, g.state = false, r.state()
	r.restore(outer)
	if more {
		return v, true, nil
	}
	g.end()
	err := g.err
	if python.IsKind(err, "StopIteration") {
		err = python.Raise("RuntimeError", "generator raised StopIteration")
	}
	return nil, false, err
}

func (g *generator) end() {
	if !g.ended {
		g.r.waiting--
	}
	g.ended = true
	delete(g.r.generators, g)
	g.stop()
}

// yieldValue evaluates yield X.
func (r *runner) yieldValue(x *program.Yield) (Value, error) {
	v := Value(None{})
	if x.X != nil {
		var err error
		if v, err = r.value(x.X); err != nil {
			return nil, err
		}
	}
	g := r.generator
	if g == nil {
		return nil, errorf(cute.CodeSyntax, "yield is run in a generator only")
	}
	if !x.From {
		return g.emit(v)
	}
	it, err := r.py.Iterate(v)
	if err != nil {
		return nil, err
	}
	return g.delegate(it)
}

// emit passes a value to the code that resumed the generator. It returns the value that is sent back.
func (g *generator) emit(v Value) (Value, error) {
	if !g.yield(v) {
		return nil, errorf(cute.CodeSyntax, "the generator was stopped")
	}
	return g.sent, g.thrown
}

// delegate implements yield from: it yields the values of an iterator, and returns the result if the iterator is a
// generator.
func (g *generator) delegate(it *python.Iterator) (Value, error) {
	of, _ := it.Coroutine.(*generator)
	sent, thrown := Value(None{}), error(nil)
	for {
		var v Value
		var ok bool
		var err error
		switch {
		case of != nil:
			v, ok, err = of.next(sent, thrown)
		case thrown != nil:
			return nil, thrown
		case sent != (None{}):
			return nil, python.Raise("AttributeError", "'%s' object has no attribute 'send'", python.TypeName(it))
		default:
			v, ok, err = it.Next()
		}
		switch {
		case err != nil:
			return nil, err
		case !ok && of != nil && of.result != nil:
			return of.result, nil
		case !ok:
			return None{}, nil
		}
		sent, thrown = g.emit(v)
		if thrown != nil && !isRaised(thrown) {
			return nil, thrown
		}
		if sent == nil {
			sent = None{}
		}
	}
}

// isRaised reports whether an error is an exception of Python rather than a refusal by girih.
func isRaised(err error) bool {
	f, ok := err.(faultError) //nolint:errorlint // faults are not wrapped
	_, isException := err.(*python.Exception)
	return isException || ok && f.raised != nil
}

// generatorMethod implements next, send, throw and close of a generator; ok is false for any other value or name.
func (r *runner) generatorMethod(of Value, name string, c *arguments) (v Value, ok bool, err error) {
	it, _ := of.(*python.Iterator)
	if it == nil {
		return nil, false, nil
	}
	if name == "__next__" || name == "__iter__" {
		if name == "__iter__" {
			return it, true, nil
		}
		v, err = r.py.Call("next", []Value{it}, nil)
		return v, true, err
	}
	g, ok := it.Coroutine.(*generator)
	if !ok {
		return nil, false, nil
	}
	switch {
	case name == "close" && len(c.pos) == 0:
		return None{}, true, g.close()
	case name == "send" && len(c.pos) == 1:
		v, ok, err = g.next(c.pos[0], nil)
	case name == "throw" && len(c.pos) > 0:
		thrown := r.raisedError(c.pos[0])
		if !isRaised(thrown) {
			return nil, true, thrown
		}
		v, ok, err = g.next(None{}, thrown)
	default:
		return nil, false, nil
	}
	if err == nil && !ok {
		err = g.stopIteration()
	}
	return v, true, err
}

// stopIteration returns the exception that ends the iteration over a generator.
func (g *generator) stopIteration() error {
	e := &python.Exception{Kind: "StopIteration"}
	if g.result != nil && g.result != (None{}) {
		e.Args = Tuple{g.result}
	}
	g.result = nil
	return e
}

// close raises GeneratorExit at the yield where the generator waits.
func (g *generator) close() error {
	if g.ended || !g.started {
		if !g.ended {
			g.end()
		}
		return nil
	}
	_, more, err := g.next(None{}, &python.Exception{Kind: "GeneratorExit"})
	switch {
	case more:
		return python.Raise("RuntimeError", "generator ignored GeneratorExit")
	case python.IsKind(err, "GeneratorExit"):
		return nil
	}
	return err
}

// Unwrap returns the Python exception that the error represents.
func (f faultError) Unwrap() error {
	if f.raised == nil {
		return nil
	}
	return f.raised
}

// guard counts a block in a generator that Python would run when it deletes the generator. The returned function undoes
// the count.
func (r *runner) guard(st program.Stmt) func() {
	g := r.generator
	if t, ok := st.(*program.Try); ok && t.Finally == nil {
		exits := slices.ContainsFunc(t.Handlers, func(h program.Handler) bool {
			return h.Type == nil || lastName(h.Type) == "BaseException" || lastName(h.Type) == "GeneratorExit"
		})
		if !exits {
			g = nil
		}
	}
	if g == nil {
		return func() {}
	}
	g.guards++
	return func() { g.guards-- }
}

// endGenerators ends the generators of a program. It refuses a generator that waits in a block that Python would run
// when the last reference to the generator disappears, because that time is not known here.
func (r *runner) endGenerators(err error) error {
	for g := range r.generators {
		if g.guards > 0 && err == nil {
			err = r.at(g.place, errorf(cute.CodeSyntax,
				"a generator that waits in try or with at the end of the program is not run: call its close()"))
		}
		g.dead = true
		g.stop()
	}
	r.generators = nil
	return err
}

// generatorOf evaluates a generator expression. The value of its first loop is evaluated immediately.
func (r *runner) generatorOf(x *program.Comprehension) (Value, error) {
	of, err := r.value(x.Loops[0].X)
	if err != nil {
		return nil, err
	}
	if _, isAlgebraic := of.(Algebra); !isAlgebraic {
		it, err := r.iterator(of)
		if err != nil {
			return nil, r.at(x.Loops[0].X, err)
		}
		of = it
	}
	g, err := r.newGenerator(func() (Value, error) {
		l := &looping{x: x, first: of}
		return None{}, r.compLoop(l, 0, func() error {
			v, err := r.value(x.X)
			if err == nil {
				_, err = r.generator.emit(v)
			}
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// iterator returns an iterator over a host value. It returns other values unchanged.
func (r *runner) iterator(of Value) (Value, error) {
	switch of.(type) {
	case *Array, Unrolled, Algebra:
		return of, nil
	}
	it, err := r.py.Iterate(of)
	if err != nil {
		return nil, err
	}
	return it, nil
}
