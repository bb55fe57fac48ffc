package trial_test

import (
	"testing"

	"girih/internal/card/trial"
	"girih/ptx"
)

// The test checks that the kernels can be parsed and printed unchanged. The tests of package gpu run the kernels.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, b := range []*ptx.Builder{trial.Add(), trial.Banks()} {
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		m := &ptx.Module{
			Version: ptx.Version{Major: 6, Minor: 3}, Target: []string{"sm_75"}, AddressSize: 64, Decls: []ptx.Decl{f},
		}
		again, err := ptx.Parse(m.String())
		if err != nil {
			t.Fatal(err)
		}
		if again.String() != m.String() {
			t.Errorf("%s reads back as\n%s", m, again)
		}
	}
}
