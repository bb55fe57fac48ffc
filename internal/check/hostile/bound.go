package hostile

import (
	"fmt"
	"runtime/metrics"
	"time"
)

// A Bound records the start of a request. The limits, mostTime and mostBytes, are far above the limits of the engine,
// so that a loaded machine does not exceed them.
type Bound struct {
	start time.Time
	live  int64
}

// These constants limit the time and the memory of a request in a test.
const (
	mostTime  = time.Minute
	mostBytes = 768 << 20
)

// Begin notes the time and the memory before a request.
func Begin() Bound { return Bound{time.Now(), live()} }

// Broken says which limit the request has exceeded, or returns "".
func (b Bound) Broken() string {
	if d := time.Since(b.start); d > mostTime {
		return fmt.Sprintf("took %v", d)
	}
	if n := live() - b.live; n > mostBytes {
		return fmt.Sprintf("left %d MiB", n>>20)
	}
	return ""
}

// live returns the bytes of the objects that the last collection found in use.
func live() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
