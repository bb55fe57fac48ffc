// Package litmus decides litmus tests of PTX. A litmus test is a small program of a few threads, with a condition on
// its final states:
//
//	PTX MP
//	{ x=0; y=0; }
//	P0@cta 0,gpu 0        | P1@cta 0,gpu 0       ;
//	st.weak x, 1          | ld.acquire.gpu r0, y ;
//	st.release.gpu y, 1   | ld.weak r1, x        ;
//	~exists (P1:r0 == 1 /\ P1:r1 == 0)
//
// [Parse] reads tests in two formats, [Run] answers the questions of a test, and [Terminates] decides whether its
// executions end.
//
// The search builds executions, and package consistency says which executions are allowed. Each thread runs until it
// needs the value of a read. Then the search decides this read: it returns one of the writes that exist, or none of
// them, so that it must return a write that is added later. In this way the search visits each choice of writes once,
// and no value depends on itself. Every axiom only forbids edges, so the search abandons an execution as soon as a part
// of it violates an axiom. When all threads have ended, the search tries the orders of fence.sc and of writes. It
// orders writes only where causality or moral strength requires an order, because a further order could only forbid
// executions.
//
// Read the files in this order: test.go (the parts of a test), state.go (how threads run), search.go, leaf.go (the end
// of executions), graph.go (an execution as the model sees it), meeting.go (barriers), interleave.go (tests of one
// location), answer.go. The files herd.go, nvlitmus.go and instruction.go parse tests.
package litmus
