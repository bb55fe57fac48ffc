package gpu_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"girih/gpu"
	"girih/internal/card/trial"
)

// resident returns the memory of the process, or 0 if the system does not report it.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(b), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

func TestLaunchesDoNotLeak(t *testing.T) {
	d := card(t)
	m := module(t, "sm_75", trial.Add())
	k := entry(t, d, m, "add")
	x := alloc[float32](t, d, 32)
	check(t, x.Fill(0))
	launch := func(n int) {
		for range n {
			check(t, k.Launch(threads(1, 32), x, x, x, 32))
		}
		check(t, d.Wait(t.Context()))
	}
	launch(2000)
	runtime.GC()
	free, err := d.Free()
	check(t, err)
	before := resident()
	begin := time.Now()
	launch(10_000)
	t.Logf("10,000 launches: %v each", time.Since(begin)/10_000)
	for range 100 {
		b, err := gpu.Alloc[uint8](d, 64<<20)
		check(t, err)
		loaded, err := d.Load(m)
		check(t, err)
		if !loaded.Cached() {
			t.Fatal("the module was compiled again")
		}
		check(t, loaded.Close())
		check(t, b.Close())
		check(t, b.Close()) // a second Close does nothing
	}
	runtime.GC()
	after, err := d.Free()
	check(t, err)
	if lost := free - after; lost > 8<<20 {
		t.Errorf("%d bytes of the card are gone", lost)
	}
	if grown := resident() - before; grown > 64<<20 {
		t.Errorf("the process grew by %d bytes", grown)
	}
	begin = time.Now()
	for range 1000 {
		check(t, k.Launch(threads(1, 32), x, x, x, 32))
		check(t, d.Wait(t.Context()))
	}
	t.Logf("launch and wait: %v each", time.Since(begin)/1000)
}

func TestTime(t *testing.T) {
	d := card(t)
	t.Logf("%+v", d.Info())
	k := entry(t, d, module(t, "sm_75", trial.Add()), "add")
	const n = 32 << 20
	x, y, sum := upload(t, d, random(n)), upload(t, d, random(n)), alloc[float32](t, d, n)
	cases := []gpu.Case{
		{Name: "all", Run: func() error { return k.Launch(threads(n/256, 256), x, y, sum, n) }},
		{Name: "small", Run: func() error { return k.Launch(threads(1<<10, 256), x, y, sum, 1<<18) }},
		{Name: "copy", Run: func() error { return sum.Copy(x) }},
	}
	for _, cold := range []bool{false, true} {
		r, err := d.Time(t.Context(), gpu.TimeOptions{Rounds: 11, Cold: cold}, cases...)
		check(t, err)
		t.Log(r.Clocks)
		for _, c := range r.Cases {
			if len(c.Each) != 11 || c.Median() <= 0 {
				t.Errorf("cold %v, %s: %d measurements, median %v", cold, c.Name, len(c.Each), c.Median())
			}
			t.Logf("cold %v, %s: median %v, %v to %v, batch %d, graph %v",
				cold, c.Name, c.Median(), c.Quantile(0), c.Quantile(1), c.Batch, c.Graph)
		}
		if s := r.Cases[0].Median().Seconds(); s > 0 {
			t.Logf("all: %.0f GB/s", 12*n/s/1e9)
		}
	}
	// A read cannot be part of a graph, so Time queues the reads one by one.
	host := make([]float32, 1)
	r, err := d.Time(t.Context(), gpu.TimeOptions{Rounds: 3}, gpu.Case{Name: "waits", Run: func() error {
		return x.Read(t.Context(), host)
	}})
	check(t, err)
	t.Logf("a read of 4 bytes: %v, graph %v", r.Cases[0].Median(), r.Cases[0].Graph)
	if r.Cases[0].Graph {
		t.Error("a graph waits for the host")
	}
	fault := errors.New("no")
	_, err = d.Time(t.Context(), gpu.TimeOptions{}, gpu.Case{Name: "bad", Run: func() error { return fault }})
	if !errors.Is(err, fault) {
		t.Fatalf("got %v", err)
	}
	_, err = d.Time(t.Context(), gpu.TimeOptions{})
	wantCode(t, err, gpu.Argument)
}
