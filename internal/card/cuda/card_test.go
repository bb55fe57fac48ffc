package cuda

import (
	"testing"

	"girih/fault"
)

// The test checks that an event makes the second of two streams wait for the first. Package gpu tests the rest.
func TestStreams(t *testing.T) {
	driver, err := Load()
	if err != nil {
		t.Skip(err.Message)
	}
	must := func(err *Failure) {
		t.Helper()
		if err != nil {
			t.Fatalf("%+v", *err)
		}
	}
	wait := func(isDone func() (bool, *Failure)) {
		t.Helper()
		for done := false; !done; {
			var err *Failure
			done, err = isDone()
			must(err)
		}
	}
	v, err := driver.Device(0)
	must(err)
	c, err := v.Context()
	must(err)
	defer func() { must(c.Close()) }()
	first, err := c.Stream()
	must(err)
	defer func() { must(first.Close()) }()
	second, err := c.Stream()
	must(err)
	defer func() { must(second.Close()) }()
	done, err := c.Event()
	must(err)
	defer func() { must(done.Close()) }()
	const n = 256 << 20
	big, err := c.Alloc(n)
	must(err)
	defer func() { must(c.Release(big)) }()
	p, err := c.HostAlloc(4)
	must(err)
	defer func() { must(c.HostRelease(p)) }()
	for i := range uint32(20) {
		must(first.Set(big, i, 4, n/4))
		must(done.Record(first))
		must(second.After(done))
		must(second.CopyOut(p, big+n-4, 4))
		wait(second.IsDone)
		if got := *(*uint32)(p); got != i {
			t.Fatalf("the second stream has read %d before the first wrote %d", got, i)
		}
		wait(done.IsDone)
	}
	if err := first.Set(big, 0, 3, 1); err == nil || err.Code != fault.Argument {
		t.Errorf("got %v", err)
	}
}
