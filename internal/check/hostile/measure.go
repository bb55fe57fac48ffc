package hostile

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// A Cost is what a request took.
type Cost struct {
	Time  time.Duration // of the processors, or by the clock where that is less
	Bytes int64         // of the heap, garbage left out, at the time when there was most
}

// Measure carries out a request and returns what it took, roughly: where the heap has grown by more than half of most,
// its garbage is collected to see what is in use. Nothing else may go on in the process.
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
			cpu += Processor() - spent // which is not the request's
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
