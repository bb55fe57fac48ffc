// Package fault lists the codes of girih's errors, in one place for all packages: the algebra, the language, element
// types, PTX, the simulator and the driver. Each package has an error type of its own, with the facts that its users
// need (a place in a text, a witness, what the driver said), and each of these errors wraps its code:
//
//	if errors.Is(err, fault.Limit) { ... }          // whatever package refused
//	code, ok := errors.AsType[fault.Code](err)      // "not_divisible"
//
// Packages keep the names that their users know: cute.Code and ptx.Code are this type, cute.CodeLimit is [Limit].
// A fault that the simulator finds in a kernel is a result of the run: its kinds, sim.Kind, are separate.
package fault
