package kernel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestAt states places of a text in another language: instructions, fragments and errors have them.
func TestAt(t *testing.T) {
	t.Parallel()
	row := cute.MustParse("32:1")
	k, err := kernel.Trace("stated", 32, func(k *kernel.K) {
		k.At(kernel.Place{File: "text.cu", Line: 7})
		a, b := k.GlobalLayout("a", dtype.F32, row), k.GlobalLayout("b", dtype.F32, row)
		x := k.LocalPartition(a, row, k.ThreadIdx())
		f := k.MakeFragmentLike(x, dtype.F32)
		k.At(kernel.Place{File: "text.cu", Line: 8})
		k.Copy(x, f)
		k.At(kernel.Place{})
		k.Copy(f, k.LocalPartition(b, row, k.ThreadIdx()))
	})
	if err != nil {
		t.Fatal(err)
	}
	if f := k.Fragments()[0]; f.File != "text.cu" || f.Line != 7 {
		t.Errorf("the fragment is at %s:%d", f.File, f.Line)
	}
	places := ""
	for _, a := range k.Report().Uses {
		places += a.File + " "
	}
	if !strings.Contains(places, "text.cu") || !strings.Contains(places, "stack_test.go") {
		t.Errorf("the accesses are in %s", places)
	}
	_, err = kernel.Trace("wrong", 32, func(k *kernel.K) {
		k.At(kernel.Place{File: "text.cu", Line: 9})
		k.Shared("s", dtype.F32, cute.MustParse("4:-1"))
	})
	if e, ok := errors.AsType[*kernel.Error](err); !ok || e.File != "text.cu" || e.Line != 9 {
		t.Errorf("found %v", err)
	}
}

// A kernel that is made of a text in another language names the lines of that text.
func ExampleK_At() {
	row := cute.MustParse("32:1")
	_, err := kernel.Trace("add", 32, func(k *kernel.K) {
		k.At(kernel.Place{File: "add.cu", Line: 12})
		a := k.GlobalLayout("a", dtype.F32, row)
		k.Slice(a, kernel.Int(32)) // a has 32 elements
	})
	var wrong *kernel.Error
	fmt.Println(errors.As(err, &wrong), wrong.File, wrong.Line)
	// Output: true add.cu 12
}
