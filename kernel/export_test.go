package kernel

import "girih/internal/lang/emit"

// Effect is effect, for tests.
var Effect = effect

// ProgramOf returns the operations of a kernel, for tests.
func ProgramOf(k *Kernel) (*emit.Program, error) { return k.program() }
