package sim

import (
	"fmt"
	"strings"

	"girih/fault"
	"girih/ptx"
)

// Kind is the class of a [Finding], a fault of the kernel that the run met. Findings are results of a run; the codes
// of errors are in package fault. The strings are stable.
type Kind string

// The kinds of findings.
const (
	KindBounds        Kind = "out-of-bounds"   // an access outside every buffer, variable and window
	KindAlign         Kind = "misaligned"      // an address that is not a multiple of the access size
	KindUninitialised Kind = "uninitialised"   // a read of a byte or register that nothing has written
	KindExited        Kind = "exited"          // an access to shared memory of a block that has ended
	KindBegun         Kind = "not-begun"       // an access to shared memory of a block that may not have begun
	KindNoncoherent   Kind = "noncoherent"     // ld.global.nc of bytes that the kernel writes
	KindRace          Kind = "race"            // two accesses, one of them a write, that nothing orders
	KindReadPending   Kind = "read-pending"    // a read of bytes that an operation under way writes
	KindWritePending  Kind = "write-pending"   // a write to bytes that an operation still reads or writes
	KindTxCount       Kind = "tx-count"        // an mbarrier expects more or fewer bytes than arrive
	KindReadOnly      Kind = "readonly"        // a write to constants or to the parameters of the kernel
	KindDivergent     Kind = "divergent"       // lanes of a warp that must be at one instruction together, but are not
	KindDeadlock      Kind = "deadlock"        // threads wait at a barrier that never completes
	KindBarrier       Kind = "barrier"         // a barrier used with unequal or impossible counts
	KindSteps         Kind = "steps"           // more instructions than the launch allows
	KindUnsupported   Kind = "unsupported"     // an instruction that this package does not run
	KindCall          Kind = "call"            // a call that is too deep, or not of a function of the module
	KindTrap          Kind = "trap"            // trap or brkpt
	KindAssert        Kind = "assert"          // __assertfail, or a number that contradicts a stated fact
	KindWgmma         Kind = "wgmma-registers" // a register of a running wgmma is used, or was not fenced before
	KindTensor        Kind = "tensor-memory"   // an allocation that is missing, leaked or freed twice, or lanes of others
	KindArgument      Kind = "argument"        // an operand that the instruction does not accept
)

// Dim is a position in a grid or block, or the extent of one; in an extent, 0 means 1.
type Dim struct{ X, Y, Z int }

// String returns "(x,y,z)".
func (d Dim) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// count returns the number of points of an extent.
//
//go:noinline
func (d Dim) count() int { return d.X * d.Y * d.Z }

// at returns the position of number i, x first.
func (d Dim) at(i int) Dim { return Dim{i % d.X, i / d.X % d.Y, i / d.X / d.Y} }

// Finding is a fault of a kernel: what is wrong, where, and the numbers. It ends the run, unless the [Launch] lets the
// run go on.
type Finding struct {
	Kind    Kind
	Pos     ptx.Pos // the position of the instruction
	Op      ptx.Op
	Other   ptx.Pos // the position of the other instruction of a conflict; zero if there is none
	Source  string  // "kernel.cu:12" of the last .loc, with ", inlined at kernel.cu:30" for each place; "" for none
	Block   Dim
	Thread  Dim    // the first thread that has the fault
	Address uint64 // the address in the instruction; 0 if the finding is not about memory
	Message string
	Seed    uint64 // the seed of the run, see [Launch]
	Count   int64  // how often it was found, counted once for a warp: more than 1 only if the run went on
	Grade   Grade  // GradeRace, unless it is in Result.Lesser or of a strict run

	over     bool   // the finding is about a write to bytes that were read
	register uint64 // the register without a value; 0 for none
	last     int64  // the last execution that was counted
	lastBy   *warp
}

// Error returns kind, line, thread and message. The text is one line, unless the message has several lines.
func (f *Finding) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: line %d", f.Kind, f.Pos.Line)
	if f.Source != "" {
		fmt.Fprintf(&b, " (%s)", f.Source)
	}
	fmt.Fprintf(&b, ", %s, block %v thread %v: %s", f.Op, f.Block, f.Thread, f.Message)
	return b.String()
}

// Note is something about a run that is not a fault, but may be unintended.
type Note struct {
	Pos     ptx.Pos // the position of the instruction
	Op      ptx.Op
	Source  string // as in a [Finding]
	Block   Dim    // the first block to which the note applies
	Count   int64  // how often it happened
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

// Code is the class of an [Error]. All packages of girih use this type.
type Code = fault.Code

// The codes of the errors of [Load], [Memory] and [Program.Run].
const (
	CodeModule   = fault.Module   // a declaration of the module cannot be laid out in memory
	CodeEntry    = fault.Entry    // the module has no such kernel
	CodeLaunch   = fault.Launch   // no GPU has these dimensions, or this much shared memory
	CodeArgument = fault.Argument // the arguments do not fit the parameters of the kernel
	CodeMemory   = fault.Memory   // more memory than MaxMemory, or no such buffer
	CodeStopped  = fault.Stopped  // the context ended
)

// Error says why a kernel did not run or did not end, if the kernel's instructions are not the reason.
type Error struct {
	Code Code
	Msg  string // what was expected and what was found
	Err  error  // the error of the context if the run was stopped, otherwise nil
}

// Error returns the code and the message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Msg }

// Unwrap returns the code and, if the run was stopped, the error of the context.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.Err}
}

//go:noinline
func errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}
