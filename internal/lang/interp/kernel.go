package interp

import (
	"girih/atom"
)

// races is who used which byte of a memory since the last barrier.
type races struct{}

func (r *runner) race(*window, int64, bool) error { return nil }

func (r *runner) multiplyTogether(p product) error {
	return needsThreads(p.mma.Atom().Name, p.mma.Atom().Threads())
}

func (r *runner) copyTogether(by atom.CopyAtom, _, _ Algebra) error {
	return needsThreads(by.Name, by.Threads())
}

func (r *runner) kernelName(path, name string) Value { return nil }

type kernel struct{}
