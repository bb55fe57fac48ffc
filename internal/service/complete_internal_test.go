package service

import (
	"iter"
	"testing"

	"girih/atom"
	"girih/descriptor"
)

// Every name of an instruction or a layout may be completed.
func TestInstructionStems(t *testing.T) {
	t.Parallel()
	for _, names := range []iter.Seq[string]{atom.MMANames(), atom.CopyNames(), atom.LayoutNames(), descriptor.AtomNames()} {
		for name := range names {
			if !mayBeInstruction(name) || !mayBeInstruction(name[:1]) {
				t.Errorf("%s is not completed", name)
			}
		}
	}
}
