package interp

import (
	"fmt"
	"iter"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// The files kernel*.go run kernels. The blocks of a launch run one after the other. The threads of a block are
// coroutines. One runs at a time: thread 0 runs to its first barrier, then thread 1, and so on. When all have
// reached the barrier, thread 0 goes on. So a program prints the same in every run, and a race is found and not
// suffered: see kernel_race.go.

// A kernel is the block of a launch that runs.
type kernel struct {
	grid, block [3]int64
	index       [3]int64 // of the block
	cluster     [3]int64 // of blocks
	threads     []*thread
	now         *thread
	shared      map[any]Value // __shared__ variables, by their declarators
	meetings    map[string]*meeting

	epoch  int           // the number of barriers that were passed, of all blocks
	phases map[int64]int // by warp: how often its threads have waited for each other
}

// A thread is one thread of a block.
type thread struct {
	id      int64
	index   [3]int64
	state   state
	resume  func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	waits   string      // what the thread waits for; "" if it can run
	ready   func() bool // reports whether it can run again; nil if others say so
	at      string      // where it waits
	ended   bool
	err     error
	started int // shared tensors that the thread has allocated
}

// A state is what a runner knows of the thread that it runs.
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

// threadBytes is the memory of a coroutine.
const threadBytes = 16 << 10

// volume returns the product of the three extents of a grid or a block.
func volume(e [3]int64) int64 { return e[0] * e[1] * e[2] }

// coordinate3 returns the coordinate of number n in an extent.
func coordinate3(n int64, e [3]int64) [3]int64 {
	return [3]int64{n % e[0], n / e[0] % e[1], n / e[0] / e[1]}
}

// runKernel runs all threads of all blocks of a launch. body is what one thread does.
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

// runBlock runs the threads of a block up to their ends.
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
			continue // a meeting may have woken threads
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

// barrier is what a thread waits for at __syncthreads.
const barrier = "a barrier of the block"

// pass lets all threads pass the barrier at which they wait. done is true if all threads have ended. It is an error if
// some threads wait for threads that never arrive.
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

// wait stops the thread that runs until others have done what it waits for.
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

// placeText names the line of the statement that runs.
func (r *runner) placeText() string {
	if r.here == nil {
		return "the beginning"
	}
	line, _ := syntax.Position(r.src, r.here.Pos())
	return fmt.Sprintf("line %d", line)
}

// syncThreads is __syncthreads() and its relatives.
func (r *runner) syncThreads() error {
	if r.kernel == nil || len(r.kernel.threads) == 1 {
		return nil
	}
	return r.wait(barrier)
}

// A meeting is threads that run an instruction together.
type meeting struct {
	threads  []*thread
	payloads []any
}

// together runs f once for n threads that call it with the same key, with what each of them brings, in the order of
// their numbers.
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
	for i := 1; i < len(m.threads); i++ { // they arrive in order, except after a loop of different lengths
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
