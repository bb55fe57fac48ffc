package interp

import (
	"fmt"
	"iter"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// The files kernel*.go run kernels. The blocks of a launch run one after another. The threads of a block are
// coroutines, and one runs at a time: thread 0 runs to its first barrier, then thread 1, and so on. When all threads
// have reached the barrier, thread 0 continues. Therefore a program prints the same in every run, and a race is
// reported instead of changing the result: see kernel_race.go.

// A kernel is the running block of a launch.
type kernel struct {
	grid, block [3]int64
	index       [3]int64 // the index of the block
	cluster     [3]int64 // the size of a cluster, in blocks
	threads     []*thread
	now         *thread
	shared      map[any]Value // the __shared__ variables, by declarator
	meetings    map[string]*meeting

	epoch  int           // the number of barriers that all blocks have passed
	phases map[int64]int // by warp: how often its threads have synchronized
}

// A thread is one thread of a block.
type thread struct {
	id      int64
	index   [3]int64
	state   state
	resume  func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	waits   string      // the reason why the thread waits; "" if it can run
	ready   func() bool // reports whether it can run again; nil if other threads wake it
	at      string      // the place where it waits
	ended   bool
	err     error
	started int // the number of shared tensors that the thread has allocated
}

// A state is the part of a runner that belongs to the running thread.
type state struct {
	scope         *scope
	src           string
	lang          program.Language
	calls, nested int
	trace         *trace
	running       bool
	result        Value
	names         map[string]Value
	here          program.Node
	globals       *scope
	generator     *generator
	caught        *fault
}

func (r *runner) state() state {
	return state{
		r.scope, r.src, r.lang, r.calls, r.nested, r.trace, r.running, r.result, r.cpp.thread, r.here, r.globals, r.generator,
		r.caught,
	}
}

func (r *runner) restore(s state) {
	r.scope, r.src, r.lang, r.calls, r.nested = s.scope, s.src, s.lang, s.calls, s.nested
	r.trace, r.running = s.trace, s.running
	r.result, r.cpp.thread, r.here, r.globals = s.result, s.names, s.here, s.globals
	r.generator, r.caught = s.generator, s.caught
}

// maxBlock is the largest number of threads of a block.
const maxBlock = 1024

// threadBytes is the approximate memory of a coroutine.
const threadBytes = 16 << 10

// volume returns the product of the three extents of a grid or a block.
func volume(e [3]int64) int64 { return e[0] * e[1] * e[2] }

// coordinate3 returns the coordinate of number n in an extent.
func coordinate3(n int64, e [3]int64) [3]int64 {
	return [3]int64{n % e[0], n / e[0] % e[1], n / e[0] / e[1]}
}

// runKernel runs all threads of all blocks of a launch. body executes one thread.
func (r *runner) runKernel(grid, block [3]int64, body func() error) error {
	if r.kernel != nil {
		return errorf(cute.CodeSyntax, "a kernel that launches a kernel is not run")
	}
	n := volume(block)
	if n > maxBlock {
		return errorf(cute.CodeLimit, "expected at most %d threads in a block, found %d", maxBlock, n)
	}
	if blocks := volume(grid); blocks > maxThreads || blocks*n > maxThreads {
		return errorf(cute.CodeLimit, "a launch has at most %d threads, found %d blocks of %d", maxThreads, blocks, n)
	}
	if err := r.hold(int(n) * threadBytes); err != nil {
		return err
	}
	defer func() { r.kernel = nil }()
	blocks := volume(grid)
	if r.quiet { // only the first thread is traced
		blocks, n = 1, 1
	}
	cluster := [3]int64{max(1, r.cluster[0]), max(1, r.cluster[1]), max(1, r.cluster[2])}
	r.cluster = [3]int64{}
	for b := range blocks {
		r.epochs++
		k := &kernel{
			cluster: cluster, grid: grid, block: block, index: coordinate3(b, grid), shared: make(map[any]Value),
			meetings: make(map[string]*meeting), epoch: r.epochs, phases: make(map[int64]int),
		}
		r.kernel = k
		if err := r.runBlock(k, n, body); err != nil {
			return err
		}
	}
	return nil
}

// runBlock runs the threads of a block to their ends.
func (r *runner) runBlock(k *kernel, n int64, body func() error) error {
	outer := r.state()
	for id := range n {
		t := &thread{id: id, index: coordinate3(id, k.block), state: outer}
		t.state.names, t.state.generator = k.names(t), nil
		t.resume, t.stop = iter.Pull(func(yield func(struct{}) bool) {
			t.yield = yield
			t.err = body()
			t.ended = true
		})
		k.threads = append(k.threads, t)
	}
	defer func() {
		for _, t := range k.threads {
			k.now = t
			t.stop()
		}
		r.restore(outer)
	}()
	for {
		live := 0
		for _, t := range k.threads {
			if t.ready != nil && t.ready() {
				t.waits = ""
			}
			if t.ended || t.waits != "" {
				continue
			}
			if err := r.runThread(k, t); err != nil {
				return err
			}
			live++
		}
		if live > 0 {
			continue // a meeting may have woken other threads
		}
		done, err := r.pass(k)
		if done || err != nil {
			return err
		}
	}
}

// runThread runs a thread up to its next barrier or its end.
func (r *runner) runThread(k *kernel, t *thread) error {
	outer := r.state()
	k.now = t
	r.restore(t.state)
	t.resume()
	t.state = r.state()
	r.restore(outer)
	return t.err
}

// barrier describes the reason for waiting at __syncthreads.
const barrier = "a barrier of the block"

// pass lets all threads pass the barrier at which they wait. done is true if all threads have ended. It returns an
// error if some threads wait for threads that will never arrive.
func (r *runner) pass(k *kernel) (done bool, err error) {
	var waiting, missing *thread
	for _, t := range k.threads {
		switch {
		case t.waits == barrier && waiting == nil:
			waiting = t
		case t.waits != "" && t.waits != barrier:
			return false, errorf(cute.CodeMode, "thread %d waits at %s for %s, which other threads do not reach", t.id, t.at,
				t.waits)
		case t.ended && missing == nil:
			missing = t
		}
	}
	if waiting == nil {
		return true, nil
	}
	if missing != nil {
		e := errorf(cute.CodeMode, "thread %d waits at the barrier at %s, and thread %d ended without reaching a barrier",
			waiting.id, waiting.at, missing.id)
		e.hint = "all threads of a block must reach __syncthreads()"
		return false, e
	}
	k.synchronise(r)
	return false, nil
}

func (k *kernel) synchronise(r *runner) {
	r.epochs++
	k.epoch = r.epochs
	for _, t := range k.threads {
		t.waits = ""
	}
}

// wait suspends the running thread until other threads have done what it waits for.
func (r *runner) wait(what string) error {
	t := r.kernel.now
	if r.generator != nil {
		return errorf(cute.CodeSyntax, "a generator that waits for other threads is not run")
	}
	t.waits, t.at = what, r.placeText()
	if !t.yield(struct{}{}) {
		return errorf(cute.CodeLimit, "the kernel was stopped")
	}
	return nil
}

// placeText returns the line of the current statement as text.
func (r *runner) placeText() string {
	if r.here == nil {
		return "the beginning"
	}
	line, _ := syntax.Position(r.src, r.here.Pos())
	return fmt.Sprintf("line %d", line)
}

// syncThreads implements __syncthreads() and similar functions.
func (r *runner) syncThreads() error {
	if r.kernel == nil || len(r.kernel.threads) == 1 {
		return nil
	}
	return r.wait(barrier)
}

// A meeting is a set of threads that execute an instruction together.
type meeting struct {
	threads  []*thread
	payloads []any
}

// together calls f once for n threads that call together with the same key. It passes the payloads of the threads in
// the order of the thread numbers.
func (r *runner) together(key string, n int64, payload any, f func(all []any) error) error {
	k := r.kernel
	if r.quiet {
		return nil
	}
	m := k.meetings[key]
	if m == nil {
		m = &meeting{}
		k.meetings[key] = m
	}
	m.threads, m.payloads = append(m.threads, k.now), append(m.payloads, payload)
	if int64(len(m.threads)) < n {
		return r.wait(fmt.Sprintf("%d threads that run one instruction", n))
	}
	delete(k.meetings, key)
	for i := 1; i < len(m.threads); i++ { // they arrive in this order, except after loops of different lengths
		for j := i; j > 0 && m.threads[j].id < m.threads[j-1].id; j-- {
			m.threads[j], m.threads[j-1] = m.threads[j-1], m.threads[j]
			m.payloads[j], m.payloads[j-1] = m.payloads[j-1], m.payloads[j]
		}
	}
	for _, t := range m.threads {
		t.waits = ""
	}
	return f(m.payloads)
}
