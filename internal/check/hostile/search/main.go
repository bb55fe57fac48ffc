// Command search looks for the worst input of each operation. It carries out every function of the language with every
// pair of hostile operands, and every operation of the service with hostile requests, each within the time and memory
// of a request of the server. It prints the input that took longest, the longest time for which an input did not ask
// whether it may go on, and so overran its time, and the greatest memory in use. Times are processor times if these are
// less than clock times, so that other work on the machine hardly changes them.
//
//	go run ./internal/check/hostile/search             all, in an hour or so
//	go run ./internal/check/hostile/search image read  these
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"girih/internal/budget"
	"girih/internal/check/hostile"
	"girih/internal/lang/eval"
	"girih/internal/service"
)

// most is the time limit of a request here: a request that overruns this limit overruns any limit.
const most = 2 * time.Second

func main() {
	one := flag.Bool("one", false, "the operations named, in this process")
	flag.Parse()
	names := flag.Args()
	if *one {
		for _, name := range names {
			search(name)
		}
		return
	}
	if len(names) == 0 {
		names = operations()
	}
	fmt.Print("| operation | worst input | time | after its time | memory |\n|--|--|--|--|--|\n")
	for _, name := range names {
		if err := apart(name); err != nil { // in its own process: no operation pays for memory that another left
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		}
	}
}

// operations returns the functions of the language and the operations of the service.
func operations() []string {
	var names []string
	for _, b := range eval.Builtins() {
		names = append(names, b.Name)
	}
	for _, op := range service.Operations() {
		if op.Programs {
			names = append(names, "/"+op.Name)
		}
	}
	return names
}

// apart looks for the worst input of an operation in another process, and prints the output of that process.
func apart(name string) error {
	c := exec.Command(os.Args[0], "-one", name)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	for s := bufio.NewScanner(out); s.Scan(); {
		fmt.Println(s.Text())
	}
	return c.Wait()
}

// A cost is the time and the memory that one input took.
type cost struct {
	input       string
	time, after time.Duration
	bytes       int64
	again       func() cost // measures the request once more
	repeated    bool
}

// latest returns the cost of the input that overran its time the most. A long overrun is measured again, and the least
// measurement counts, because the machine has pauses of its own.
func latest(costs []cost) cost {
	for {
		i := 0
		for j, c := range costs {
			if c.after > costs[i].after {
				i = j
			}
		}
		c := &costs[i]
		if c.repeated || c.after < 20*time.Millisecond {
			return *c
		}
		for range 3 {
			c.after = min(c.after, c.again().after)
		}
		c.repeated = true
	}
}

// search prints the worst costs of an operation.
func search(name string) {
	debug.SetGCPercent(50) // collect often, so that the heap is close to the memory in use
	var costs []cost
	if op, ok := strings.CutPrefix(name, "/"); ok {
		for _, q := range hostile.Requests() {
			if q.Op == op {
				costs = append(costs, measure(q.Name, func(ctx context.Context) { service.DoWithin(ctx, q.Op, q.Body) }))
			}
		}
	} else if b, ok := eval.Lookup(name); ok {
		for _, c := range hostile.Calls(b) {
			body, _ := json.Marshal(map[string]string{"expr": c.Program}) // strings always encode
			costs = append(costs, measure(c.Name, func(ctx context.Context) { service.DoWithin(ctx, "eval", body) }))
		}
	}
	if len(costs) == 0 {
		return
	}
	slow := slices.MaxFunc(costs, func(a, b cost) int { return cmp.Compare(a.time, b.time) })
	large := slices.MaxFunc(costs, func(a, b cost) int { return cmp.Compare(a.bytes, b.bytes) })
	late := latest(costs)
	fmt.Printf("| `%s` | %s | %v | %v (%s) | %d MiB |\n", name, slow.input, slow.time.Round(time.Millisecond),
		late.after.Round(time.Millisecond), late.input, large.bytes>>20)
}

// measure carries out an operation as the server does.
func measure(input string, do func(context.Context)) cost {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	asked := &questions{Context: ctx}
	b := budget.New(asked, service.MaxMemory)
	c := cost{input: input, again: func() cost { return measure(input, do) }}
	done := make(chan bool)
	base := heap()
	start := now()
	asked.last = start
	go func() {
		do(budget.With(asked, b))
		c.time, c.after = now().since(start), asked.longest()
		done <- true
	}()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return c
		case <-tick.C:
			c.bytes = max(c.bytes, heap()-base)
		}
	}
}

// questions is the context of a request. It records the longest time between two calls of Err, which ask whether the
// request has ended: a request that ends meanwhile goes on for that long.
type questions struct {
	context.Context
	mu    sync.Mutex
	last  moment // the time of the last call of Err, or of the first call that returned an error
	most  time.Duration
	ended bool
}

func (q *questions) Err() error {
	err := q.Context.Err()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.note()
	q.ended = q.ended || err != nil
	return err
}

// note records the time since the last call of Err, unless the request has ended or the time is short.
func (q *questions) note() {
	if q.ended || time.Since(q.last.clock) < time.Millisecond { // reading the processor time is itself slow
		return
	}
	t := now()
	q.most = max(q.most, t.since(q.last))
	q.last = t
}

// longest returns the longest time between two calls of Err, or since the last call.
func (q *questions) longest() time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(q.most, now().since(q.last))
}

// A moment is a clock time, and the processor time up to it.
type moment struct {
	clock     time.Time
	processor time.Duration
}

func now() moment { return moment{time.Now(), hostile.Processor()} }

func (m moment) since(before moment) time.Duration {
	return min(m.clock.Sub(before.clock), m.processor-before.processor)
}

// heap returns the bytes of the objects on the heap.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
