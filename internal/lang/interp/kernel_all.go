package interp

import (
	"errors"
	"fmt"

	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file runs a program that describes one thread, get_slice(0), but multiplies with an instruction of several
// threads. The instruction needs the registers of all these threads, so the program is run again as a block of threads.
// Each thread runs the whole program with its own get_slice and its own memory. The output is the output of the thread
// that the program asked for.
//
//	auto thr = mma.get_slice(0);            // thread 1 runs get_slice(1)
//	Tensor tCrC = thr.make_fragment_C(tCgC);
//	clear(tCrC);
//	gemm(mma, tCrA, tCrB, tCrC);            // all threads arrive here, with their parts of A and B

// An aloneError is the error of an instruction of several threads that only one thread executes. threads is the number
// of threads of the MMA, and thread is the thread that the program describes.
type aloneError struct {
	*statedError
	threads, thread int64
}

// aloneIn returns the aloneError that err contains, or nil.
func aloneIn(err error) *aloneError {
	var e *aloneError
	f, ok := err.(faultError) //nolint:errorlint // faults are not wrapped
	if ok {
		err = f.alone
	}
	if !errors.As(err, &e) {
		return nil
	}
	return e
}

// runBody runs the statements of a program, and main.
func (r *runner) runBody(prog *program.Program) error {
	if _, err := r.run(prog.Body); err != nil {
		return err
	}
	if r.Kernel != nil {
		return r.runGiven(r.Kernel)
	}
	r.noteKernels(prog)
	return r.main()
}

// runAll runs the program again, as a block of threads.
func (r *runner) runAll(prog *program.Program, alone *aloneError) error {
	if alone.thread >= alone.threads {
		return alone.statedError
	}
	line, _ := syntax.Position(r.src, r.here.Pos())
	text := fmt.Sprintf("line %d: the instruction needs the registers of %d threads: each ran the program with its own "+
		"get_slice", line, alone.threads)
	r.notes = append(r.notes, text)
	r.skip, r.printed = r.printed, 0
	first := make(map[string]*cell, len(r.Globals))
	for name, v := range r.Globals {
		first[name] = &cell{v: v}
	}
	n := (alone.threads + 31) / 32 * 32
	if alone.threads%32 == 0 {
		n = alone.threads
	}
	var last *scope
	r.all = alone
	err := r.runKernel([3]int64{1, 1, 1}, [3]int64{n, 1, 1}, func() error {
		s := &scope{names: make(map[string]*cell, len(first))}
		for name, c := range first {
			s.names[name] = &cell{v: c.v}
		}
		if r.kernel.now.id == alone.thread {
			last = s
		}
		r.nested, r.globals, r.scope = 0, s, s
		return r.runBody(prog)
	})
	r.all = nil
	if last != nil {
		r.globals, r.scope = last, last
	}
	return err
}

// ownSlice replaces the argument of get_slice by the number of the running thread, if a block runs the program.
// Otherwise it records the argument.
func (r *runner) ownSlice(c *syntax.Call) {
	if c.Name != "get_slice" && c.Name != "get_thread_slice" || len(c.Args) != 2 {
		return
	}
	n, ok := c.Args[1].X.(*syntax.Int)
	switch {
	case !ok:
	case r.all == nil:
		r.sliced = n.Value
	case n.Value == r.all.thread:
		own := *n
		own.Value = r.kernel.now.id
		c.Args[1].X = &own
	}
}

// newOutput returns the part of a text to print. If a block runs the program, only the output of one thread is printed,
// without the part that was printed before.
func (r *runner) newOutput(text string) string {
	if r.all == nil {
		return text
	}
	if r.kernel.now.id != r.all.thread {
		return ""
	}
	n := min(r.skip, len(text))
	r.skip -= n
	return text[n:]
}
