package kernel

import (
	"fmt"
	"runtime"
	"strings"

	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
)

// This file finds which threads of a block execute an instruction, as far as that is known during the trace: under
// conditions on the number of the thread. It refuses barriers and shuffles that only some lanes of a warp execute, and
// registers that warpgroups would wait for without end.

// A certainty says whether a thread executes an instruction.
type certainty uint8

const (
	never certainty = iota
	perhaps
	always
)

// executes returns for each thread of the block whether it executes what is in the scopes around.
func (k *K) executes(around []scope) []certainty {
	out := make([]certainty, k.threads)
	for i := range out {
		at := k.numbersOf(i)
		out[i] = always
		for _, s := range around {
			out[i] = min(out[i], k.enters(s, at, i))
		}
	}
	return out
}

// threadNumbers are the results of [K.numbersOf] by thread, for a number of special registers.
type threadNumbers struct {
	of      int
	threads []address.Values
}

// numbersOf returns the values of the symbols of special registers for a thread. It keeps them until the kernel asks
// for another special register.
func (k *K) numbersOf(thread int) address.Values {
	if n := &k.perThread; len(n.threads) == 0 || n.of != len(k.special) {
		n.of, n.threads = len(k.special), make([]address.Values, k.threads)
	} else if at := n.threads[thread]; at != nil {
		return at
	}
	at := address.Values{}
	k.perThread.threads[thread] = at
	for name, x := range places(int64(thread)) {
		if s, ok := k.special[name]; ok {
			s.x().Symbols(func(sym *address.Symbol) { at[sym] = x })
		}
	}
	return at
}

// forThreads reports whether x < y for each thread that may execute what is traced now, if both depend on the thread
// only.
func (k *K) forThreads(x, y address.Expr) bool {
	if len(k.around) == 0 {
		return false
	}
	if at := k.numbersOf(0); k.below(x, y, at) == perhaps {
		return false
	}
	for i, c := range k.executes(k.around) {
		if c != never && k.below(x, y, k.numbersOf(i)) != always {
			return false
		}
	}
	return true
}

// places returns the values of the special registers that depend on the thread only.
func places(thread int64) map[ptx.Name]int64 {
	return map[ptx.Name]int64{
		"%tid.x": thread, "warp": thread / WarpSize, "warpgroup": thread / 128, "warpgroup.thread": thread % 128,
	}
}

// enters says whether a thread, whose special registers have these values, executes the body of a scope.
func (k *K) enters(s scope, at address.Values, thread int) certainty {
	switch {
	case s.repeats:
		return perhaps
	case s.counter != nil:
		return k.below(s.from, s.to, at)
	}
	c := always
	for _, l := range s.cond.less() {
		c = min(c, k.below(l[0], l[1], at))
	}
	for _, p := range s.cond.holds() {
		if !k.elects(p) {
			c = min(c, perhaps)
		} else if thread%WarpSize > 0 { // elect.sync elects the lowest lane
			c = never
		}
	}
	if s.negated {
		c = always - c
	}
	return c
}

// below says whether x < y for the values of some symbols. Other symbols have any value within their facts.
func (k *K) below(x, y address.Expr, at address.Values) certainty {
	switch k.s.Compare(x, y) {
	case address.Always:
		return always
	case address.Never:
		return never
	}
	a, err := x.At(at)
	b, other := y.At(at)
	switch {
	case err != nil || other != nil:
		return perhaps
	case a < b:
		return always
	}
	return never
}

// isUniform reports whether no condition around depends on the thread or on a loop, as far as expressions show.
func isUniform(around []scope) bool {
	for _, s := range around {
		if s.counter != nil {
			if max(s.from.Level(), s.to.Level()) >= levelThread {
				return false
			}
			continue
		}
		if len(s.cond.holds()) > 0 {
			return false
		}
		for _, l := range s.cond.less() {
			if max(l[0].Level(), l[1].Level()) >= levelThread {
				return false
			}
		}
	}
	return true
}

// together refuses what all threads of a warp execute together, such as a barrier or a shuffle, under a condition that
// certainly holds for some of them only. If this is unknown during the trace, it is left to the simulator.
func (k *K) together(op string) {
	if k.err != nil || isUniform(k.around) || k.whole == &k.around[0] {
		return
	}
	found := k.executes(k.around)
	for first := 0; first < len(found); first += WarpSize {
		warp := found[first:min(first+WarpSize, len(found))]
		in, out := -1, -1
		for i, c := range warp {
			switch {
			case c == always && in < 0:
				in = first + i
			case c == never && out < 0:
				out = first + i
			}
		}
		if in >= 0 && out >= 0 {
			k.advise("put it outside of the condition, or let whole warps take each side").refuse(op, cute.CodeMode,
				"all threads of a warp execute it together, and here thread %d does and thread %d does not", in, out)
			return
		}
	}
	k.whole = &k.around[0] // for the next one here
}

// A registerRequest is a setmaxnreg.
type registerRequest struct {
	op     string
	n      int64 // registers of a thread
	around []scope
	pcs    [24]uintptr
}

// requestRegisters records a setmaxnreg.
func (k *K) requestRegisters(op string, n int64) {
	r := registerRequest{op: op, n: n, around: k.around}
	runtime.Callers(3, r.pcs[:])
	k.requests = append(k.requests, r)
}

// registersAtLaunch returns how many registers a thread has at launch.
func (k *K) registersAtLaunch() int64 { return min(65536/(k.threads*max(k.minBlocks, 1))/8*8, 255) }

// enoughRegisters refuses warpgroups that end with more registers than the block has: a warpgroup would wait for them
// without end. A warpgroup counts with the fewest that it may have after its last setmaxnreg.
func (k *K) enoughRegisters() {
	if len(k.requests) == 0 || k.err != nil {
		return
	}
	who := make([][]certainty, len(k.requests))
	for i, r := range k.requests {
		who[i] = k.executes(r.around)
	}
	var sum int64
	var parts []string
	last := 0 // the request that raises a number for the last time
	for first := int64(0); first < k.threads; first += 128 {
		n, size := k.registersAtLaunch(), min(128, k.threads-first)
		for i, r := range k.requests {
			switch all := sameOf(who[i][first : first+size]); {
			case all == perhaps:
				n = min(n, r.n)
			case all == always:
				if r.n > n {
					last = i
				}
				n = r.n
			}
		}
		sum += n * size
		parts = append(parts, fmt.Sprint(n))
	}
	have := (k.registersAtLaunch() + 7) / 8 * 8
	if sum <= have*k.threads {
		return
	}
	k.failAt(&cute.Error{
		Code: cute.CodeExtent, Op: k.requests[last].op,
		Msg: fmt.Sprintf("the warpgroups end with %s registers a thread, and the block has %d for each of %d: one waits without end",
			strings.Join(parts, " + "), have, len(parts)),
		Hint: fmt.Sprintf("let the sum be at most %d", have*k.threads/128),
	}, placesOf(k.requests[last].pcs[:]))
}

// sameOf returns the certainty of threads if they all have the same, and otherwise perhaps.
func sameOf(of []certainty) certainty {
	for _, c := range of {
		if c != of[0] {
			return perhaps
		}
	}
	return of[0]
}
