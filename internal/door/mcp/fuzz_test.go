package mcp

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"girih/internal/budget"
	"girih/internal/check/hostile"

	"girih/internal/service"
)

// FuzzCalls sends programs with doubling and nested names to all tools, and checks that each is answered in
// bounded time and memory.
func FuzzCalls(f *testing.F) {
	for i := range 32 {
		f.Add(byte(i), []byte(strings.Repeat(string([]byte{byte(i), 1}), 30)))
	}
	table := tools()
	c := &calls{
		turns: budget.NewTurns(4, 1), memory: budget.NewPool(maxMemory, maxHeap), time: 100 * time.Millisecond,
		ending: f.Context(),
	}
	f.Fuzz(func(t *testing.T, n byte, data []byte) {
		tool := table[int(n)%len(table)]
		program := hostile.Program(data)
		args, _ := json.Marshal(map[string]string{sourceField(tool.arguments()): program}) // strings always encode
		bound := hostile.Begin()
		a, err := c.do(t.Context(), tool, args)
		if err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if a.Error != nil && a.Error.Code == "internal" {
			t.Errorf("%s %.300s: %s", tool.Name, program, a.text)
		}
		if _, err := tool.result(a); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if why := bound.Broken(); why != "" {
			t.Errorf("%s %s: %.1000s", tool.Name, why, program)
		}
	})
}

// sourceField returns the argument that holds a program or a text: the first string.
func sourceField(args []service.Argument) string {
	i := slices.IndexFunc(args, func(a service.Argument) bool { return a.Of.Kind() == reflect.String })
	if i < 0 {
		return "expr"
	}
	return args[i].Name
}
