package sim

import (
	"fmt"
	"strings"

	"girih/ptx"
)

// Kind is the class of a [Finding]. The strings are stable.
type Kind string

// The kinds of findings.
const (
	KindBounds        Kind = "out-of-bounds"   // an access outside of every buffer, variable and window
	KindAlign         Kind = "misaligned"      // an address that is no multiple of the bytes accessed
	KindUninitialised Kind = "uninitialised"   // a byte or register that nothing has written is read
	KindExited        Kind = "exited"          // shared memory of a block that has ended
	KindRace          Kind = "race"            // two accesses, one of them a write, and nothing orders them
	KindReadPending   Kind = "read-pending"    // what an operation writes is read before it is known to have come
	KindWritePending  Kind = "write-pending"   // what an operation still reads or writes is written
	KindTxCount       Kind = "tx-count"        // an mbarrier is told of another number of bytes than arrive
	KindReadOnly      Kind = "readonly"        // a write to constants or to the parameters of the kernel
	KindDivergent     Kind = "divergent"       // lanes of a warp that have to be at one instruction together, and are not
	KindDeadlock      Kind = "deadlock"        // a barrier that nobody completes
	KindBarrier       Kind = "barrier"         // a barrier used with unequal or impossible counts
	KindSteps         Kind = "steps"           // more instructions than the launch allows
	KindUnsupported   Kind = "unsupported"     // an instruction that this package does not run
	KindCall          Kind = "call"            // a call of what is no function of the module, or too deep
	KindTrap          Kind = "trap"            // trap or brkpt
	KindAssert        Kind = "assert"          // __assertfail
	KindWgmma         Kind = "wgmma-registers" // what a wgmma has is touched, or was not fenced before it
	KindArgument      Kind = "argument"        // an operand outside of what the instruction takes
)

// Dim is a position in, or the extent of, a grid or block; in an extent 0 stands for 1.
type Dim struct{ X, Y, Z int }

// String returns "(x,y,z)".
func (d Dim) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// count returns the number of points of an extent.
func (d Dim) count() int { return d.X * d.Y * d.Z }

// at returns the position of number i, x first.
func (d Dim) at(i int) Dim { return Dim{i % d.X, i / d.X % d.Y, i / d.X / d.Y} }

// Finding is what is wrong with a kernel: what, where, and with which numbers. It ends the run, unless the [Launch]
// says that the run goes on.
type Finding struct {
	Kind    Kind
	Pos     ptx.Pos // of the instruction
	Op      ptx.Op
	Other   ptx.Pos // of the instruction that it is in conflict with; zero for none
	Source  string  // "kernel.cu:12" of the last .loc, with ", inlined at kernel.cu:30" for each place; "" for none
	Block   Dim
	Thread  Dim    // the first thread that it is true of
	Address uint64 // as the instruction has it; 0 where the finding is not about memory
	Message string
	Seed    uint64 // of the run, see [Launch]
	Count   int64  // how often it was found, counted once for a warp: more than 1 only if the run went on

	over     bool   // of a write to what was read
	register uint64 // that had no value; 0 for none
	last     int64  // what was counted last
	lastBy   *warp
}

// Error returns kind, line, thread and message in one line, and behind it what else the message has.
func (f *Finding) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: line %d", f.Kind, f.Pos.Line)
	if f.Source != "" {
		fmt.Fprintf(&b, " (%s)", f.Source)
	}
	fmt.Fprintf(&b, ", %s, block %v thread %v: %s", f.Op, f.Block, f.Thread, f.Message)
	return b.String()
}

// Note is something about a run that is no fault, but may not have been meant.
type Note struct {
	Pos     ptx.Pos // of the instruction
	Op      ptx.Op
	Source  string // as a [Finding] has it
	Block   Dim    // where it was first
	Count   int64  // how often it was
	Message string
}

// String returns line and message in one line.
func (n Note) String() string {
	at := fmt.Sprintf("line %d", n.Pos.Line)
	if n.Source != "" {
		at += " (" + n.Source + ")"
	}
	if n.Count > 1 {
		return fmt.Sprintf("%s, %s, %d times: %s", at, n.Op, n.Count, n.Message)
	}
	return fmt.Sprintf("%s, %s: %s", at, n.Op, n.Message)
}

// Code is the class of an [Error]. The strings are stable.
type Code string

// The codes of the errors of [Load], [Memory] and [Program.Run].
const (
	CodeModule   Code = "module"   // the module declares what cannot be laid out
	CodeEntry    Code = "entry"    // no such kernel
	CodeLaunch   Code = "launch"   // dimensions or shared memory that no GPU has
	CodeArgument Code = "argument" // arguments that do not fit the parameters of the kernel
	CodeMemory   Code = "memory"   // more memory than MaxMemory, or no such buffer
	CodeStopped  Code = "stopped"  // the context ended
)

// Error says why a kernel was not run, or not to its end, for a reason that is no fault of its instructions.
type Error struct {
	Code Code
	Msg  string // what was expected and what was found
	Err  error  // that of the context, otherwise nil
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Msg }

// Unwrap returns the error of the context of a run that was stopped.
func (e *Error) Unwrap() error { return e.Err }

func errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}
