// Command search looks for the worst input of each operation: it carries out every function of the language with every pair of hostile
// operands, and every operation of the service with hostile requests, each within the time and memory of a request of the server, and
// prints for each the input that took longest, how long it went on after its time, and the memory that was in use at most.
//
//	go run ./internal/hostile/search             all, in an hour or so
//	go run ./internal/hostile/search image read  these
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
	"time"

	"girih/eval"
	"girih/internal/budget"
	"girih/internal/hostile"
	"girih/internal/service"
)

// most is the time that a request has here: what goes on after it does so after any time.
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
		if err := apart(name); err != nil { // each in a process of its own, so that no one pays for what another left
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
		names = append(names, "/"+op.Name)
	}
	return names
}

// apart looks for the worst input of an operation in another process and prints what that finds.
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

// A cost is what one input took.
type cost struct {
	input       string
	time, after time.Duration
	bytes       int64
}

// search prints the worst costs of an operation.
func search(name string) {
	debug.SetGCPercent(50) // what is in use is seen soon
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
	late := slices.MaxFunc(costs, func(a, b cost) int { return cmp.Compare(a.after, b.after) })
	fmt.Printf("| `%s` | %s | %v | %v | %d MiB |\n", name, slow.input, slow.time.Round(time.Millisecond), max(0, late.after).Round(time.Millisecond), large.bytes>>20)
}

// measure carries out an operation as the server does.
func measure(input string, do func(context.Context)) cost {
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	b := budget.New(ctx, service.MaxMemory)
	c := cost{input: input}
	done := make(chan bool)
	start, base := time.Now(), heap()
	go func() {
		do(budget.With(ctx, b))
		done <- true
	}()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			c.time = time.Since(start)
			c.after = c.time - most
			return c
		case <-tick.C:
			c.bytes = max(c.bytes, heap()-base)
		}
	}
}

// heap returns the bytes of the objects on the heap.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
