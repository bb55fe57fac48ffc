// Command search goes through all operations with inputs made to take all the time and memory there is, and prints for each what its
// worst took.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"girih/eval"
	"girih/internal/hostile"
)

func main() {
	only := flag.String("only", "", "this function alone, from call `N` on as in name:N")
	all := flag.Bool("all", false, "")
	flag.Parse()
	if *only != "" {
		name, from, _ := strings.Cut(*only, ":")
		n, _ := strconv.Atoi(from)
		calls(name, n)
		return
	}
	_ = all
	for _, b := range eval.Builtins() {
		if flag.NArg() > 0 && !strings.Contains(" "+strings.Join(flag.Args(), " ")+" ", " "+b.Name+" ") {
			continue
		}
		for from := 0; from >= 0; {
			from = child(b.Name, from)
		}
	}
}

func child(name string, from int) int {
	c := exec.Command(os.Args[0], "-only", fmt.Sprintf("%s:%d", name, from))
	out, _ := c.StdoutPipe()
	c.Stderr = os.Stderr
	c.Start()
	next := -1
	for s := bufio.NewScanner(out); s.Scan(); {
		if n, ok := strings.CutPrefix(s.Text(), "next "); ok {
			next, _ = strconv.Atoi(n)
			continue
		}
		fmt.Println(s.Text())
	}
	c.Wait()
	return next
}

func calls(name string, from int) {
	b, _ := eval.Lookup(name)
	debug.SetGCPercent(20)
	var env eval.Env
	for _, let := range hostile.Bindings() {
		if _, err := env.Eval(let); err != nil {
			fmt.Printf("BEFORE %.50s %.100s\n", let, err)
		}
	}
	for i, c := range hostile.Calls(b) {
		if i < from {
			continue
		}
		done := make(chan string)
		start := time.Now()
		go func() {
			defer func() {
				if p := recover(); p != nil {
					done <- fmt.Sprint("PANIC ", p)
				}
			}()
			rs, err := env.Eval(c.Expr)
			r := "ok"
			if err != nil {
				r = fmt.Sprintf("%.100s", err.Error())
			} else {
				_ = rs
			}
			done <- r
		}()
		peak := heap()
		base := peak
		tick := time.NewTicker(2 * time.Millisecond)
		var r string
		for r == "" {
			select {
			case r = <-done:
			case <-tick.C:
				peak = max(peak, heap())
				if time.Since(start) > 4*time.Second || peak > 2<<30 {
					r = "KILLED"
				}
			}
		}
		took := time.Since(start)
		if took > 60*time.Millisecond || peak-base > 64<<20 {
			fmt.Printf("%s\t%s\t%v\t%d MB\t%s\n", name, c.Name, took.Round(time.Millisecond), (peak-base)>>20, r)
		}
		if r == "KILLED" {
			fmt.Println("next", i+1)
			os.Exit(0)
		}
		if peak-base > 16<<20 {
			runtime.GC()
		}
	}
}

func heap() int {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
}
