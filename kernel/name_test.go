package kernel_test

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestNames checks which names of kernels and parameters are refused: those that PTX or C++ refuse. ptxas 13.0 takes
// the names of instructions and directives.
func TestNames(t *testing.T) {
	t.Parallel()
	trace := func(name string, params ...string) error {
		_, err := kernel.Trace(name, 32, func(k *kernel.K) {
			for i, p := range params {
				switch i {
				case 0:
					k.Int(p, extent(1))
				default:
					k.Global(p, dtype.F32, kernel.Modes(kernel.Int(4)))
				}
			}
		})
		return err
	}
	for _, good := range []string{"gemm", "_x", "a1", "add", "ret", "bra", "shared", "param", "entry", "tid", "b32"} {
		if err := errors.Join(trace(good), trace("k", good), trace("k", "n", good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "_", "1x", "x y", "b-c", "n n", "%r0", "$a", "float", "class", "xor", "WARP_SZ", "NULL", "linux", "__x", "größe",
		"int64_t",
	} {
		for _, err := range []error{trace(bad), trace("k", bad), trace("k", "n", bad)} {
			e, ok := errors.AsType[*kernel.Error](err)
			if !ok || e.Err.Code != cute.CodeName || e.File != "name_test.go" || len(e.Calls) > 0 {
				t.Errorf("%q: found %v", bad, err)
			}
		}
	}
	for _, bad := range []string{"k", "k_shared", "launch_k", "stream", "launch_ready", "std", "uint64_t"} {
		if err := trace("k", "n", bad); err == nil {
			t.Errorf("a parameter %s of the kernel k was accepted", bad)
		}
	}
	for _, names := range [][]string{{"k", "A", "A_map"}, {"k", "A_map", "A"}, {"A_map", "n", "A"}} {
		_, err := kernel.Trace(names[0], 32, func(k *kernel.K) {
			s := k.Shared("s", dtype.F16, cute.MustParse("(8,8):(1,8)"))
			for _, name := range names[1:] {
				if name != "A" {
					k.Int(name, extent(1))
					continue
				}
				k.MakeTmaAtom(k.TmaTensor(name, dtype.F16, kernel.Modes(kernel.Int(64), kernel.Int(64))), s, kernel.Shape(8, 8), 1)
			}
		})
		if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != cute.CodeName || e.File != "name_test.go" {
			t.Errorf("%v: found %v", names, err)
		}
	}
	if trace("stream") == nil || trace("launch_status") == nil {
		t.Error("a kernel has the name of a variable of its launch")
	}
	for _, bad := range []string{"main", "exp", "max", "threadIdx"} {
		if trace(bad) == nil || trace("k", bad) != nil {
			t.Errorf("%s is refused as a parameter, or accepted as a kernel", bad)
		}
	}
}
