package gpu_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"girih/gpu"
	"girih/internal/card/trial"
)

func stream(t *testing.T, d *gpu.Device) *gpu.Stream {
	t.Helper()
	s, err := d.NewStream()
	check(t, err)
	return s
}

func event(t *testing.T, d *gpu.Device) *gpu.Event {
	t.Helper()
	e, err := d.NewEvent()
	check(t, err)
	return e
}

// TestStreams orders work of two streams by an event: a fill of 256 MB on one, a copy of its end on the other.
func TestStreams(t *testing.T) {
	d := card(t)
	const n = 64 << 20
	big := alloc[uint32](t, d, n)
	end, err := big.Part(n-1, 1)
	check(t, err)
	host, err := gpu.AllocPinned[uint32](d, 20)
	check(t, err)
	first, second := stream(t, d), stream(t, d)
	start, filled := event(t, d), event(t, d)
	for i := range uint32(20) {
		check(t, start.Record(first))
		check(t, big.On(first).Fill(i))
		check(t, filled.Record(first))
		check(t, second.After(filled))
		part, err := host.Part(int(i), 1)
		check(t, err)
		check(t, end.On(second).ReadInto(part))
		check(t, second.Wait(t.Context()))
		if got := part.Slice()[0]; got != i {
			t.Fatalf("the second stream has read %d before the first wrote %d", got, i)
		}
		took, err := filled.Since(start)
		check(t, err)
		if took <= 0 || took > time.Minute {
			t.Errorf("a fill took %v", took)
		}
	}
	if done, err := first.IsDone(); err != nil || !done {
		t.Errorf("got %v, %v", done, err)
	}
	check(t, first.Close())
	wantCode(t, big.On(first).Fill(0), gpu.Argument)
	wantCode(t, filled.Record(first), gpu.Argument)
	check(t, filled.Close())
	wantCode(t, second.After(filled), gpu.Argument)
	check(t, big.On(nil).Fill(7))
	got := make([]uint32, 1)
	check(t, end.Read(t.Context(), got))
	if got[0] != 7 {
		t.Errorf("got %d", got[0])
	}
}

// TestStreamOfKernels launches kernels, a graph and copies of pinned memory on a stream.
func TestStreamOfKernels(t *testing.T) {
	d := card(t)
	s := stream(t, d)
	k := entry(t, d, module(t, "sm_75", trial.Add()), "add").On(s)
	const n = 1000
	in, err := gpu.AllocPinned[float32](d, n)
	check(t, err)
	out, err := gpu.AllocPinned[float32](d, n)
	check(t, err)
	for i := range in.Slice() {
		in.Slice()[i] = float32(i)
	}
	x, one := alloc[float32](t, d, n).On(s), alloc[float32](t, d, n).On(s)
	check(t, one.Fill(1))
	check(t, x.WriteFrom(in))
	check(t, k.Launch(threads(8, 128), x, one, x, n))
	g, err := s.Capture(func() error { return k.Launch(threads(8, 128), x, one, x, n) })
	check(t, err)
	for range 10 {
		check(t, g.On(s).Launch())
	}
	check(t, x.ReadInto(out))
	check(t, s.Wait(t.Context()))
	for i, v := range out.Slice() {
		if v != float32(i)+11 {
			t.Fatalf("element %d is %v, want %v", i, v, i+11)
		}
	}
}

// TestForkedGraph captures work of two streams in a graph: the second stream joins by events.
func TestForkedGraph(t *testing.T) {
	d := card(t)
	first, second := stream(t, d), stream(t, d)
	fork, join := event(t, d), event(t, d)
	x := alloc[uint8](t, d, 2)
	a, err := x.Part(0, 1)
	check(t, err)
	b, err := x.Part(1, 1)
	check(t, err)
	g, err := first.Capture(func() error {
		check(t, fork.Record(first))
		check(t, second.After(fork))
		check(t, a.On(first).Fill(3))
		check(t, b.On(second).Fill(4))
		check(t, join.Record(second))
		return first.After(join)
	})
	check(t, err)
	check(t, x.Fill(0))
	check(t, d.Wait(t.Context()))
	check(t, g.On(first).Launch())
	check(t, first.Wait(t.Context()))
	got := make([]uint8, 2)
	check(t, x.Read(t.Context(), got))
	if !slices.Equal(got, []uint8{3, 4}) {
		t.Errorf("got %d", got)
	}
}

// TestHungStream abandons work on one stream. The device's own stream goes on, and nothing can be freed.
func TestHungStream(t *testing.T) {
	d := card(t)
	k, flag, release := spin(t, d)
	s, e := stream(t, d), event(t, d)
	x := alloc[uint32](t, d, 1)
	check(t, x.Fill(0)) // the driver loads what fills: that may wait for kernels
	check(t, d.Wait(t.Context()))
	check(t, k.On(s).Launch(threads(1, 1), flag))
	check(t, e.Record(s))
	if done, err := s.IsDone(); err != nil || done {
		t.Errorf("the stream: got %v, %v", done, err)
	}
	if done, err := e.IsDone(); err != nil || done {
		t.Errorf("the event: got %v, %v", done, err)
	}
	_, err := e.Since(e)
	wantCode(t, err, gpu.Argument)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	wantCode(t, e.Wait(ctx), gpu.Left)
	wantCode(t, s.Wait(ctx), gpu.Left)
	wantCode(t, d.Wait(ctx), gpu.Left)
	check(t, x.Fill(5))
	check(t, d.Stream().Wait(t.Context()))
	wantCode(t, x.Close(), gpu.Left)
	wantCode(t, s.Close(), gpu.Left)
	wantCode(t, d.Close(), gpu.Left)
	release()
	check(t, e.Wait(t.Context()))
	check(t, s.Close())
	check(t, x.Close())
}
