package hostile

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// A Cost is the time and the memory of a request.
type Cost struct {
	Time  time.Duration // processor time, or clock time if that is less
	Bytes int64         // the peak of the heap, without garbage
}

// Measure carries out a request and returns its approximate cost. When the heap has grown by more than half of most,
// Measure collects the garbage and measures the rest. The process must do nothing else meanwhile.
func Measure(most int64, request func()) Cost {
	runtime.GC()
	base, clock, cpu := objects(), time.Now(), Processor()
	done := make(chan struct{})
	go func() {
		defer close(done)
		request()
	}()
	var c Cost
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for looking := true; looking; {
		select {
		case <-done:
			looking = false
		case <-tick.C:
		}
		if objects()-base > most/2 {
			spent := Processor()
			runtime.GC()
			cpu += Processor() - spent // not part of the request
			c.Bytes = max(c.Bytes, objects()-base)
		}
	}
	c.Time = min(time.Since(clock), Processor()-cpu)
	return c
}

// objects returns the bytes of the objects on the heap.
func objects() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
