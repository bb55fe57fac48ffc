package service

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/report"
)

// ParseValues reads a list of NAME=INTEGER; ? alone is ?1. The error says what was expected and found.
func ParseValues(list []string) (map[string]int64, error) {
	values := make(map[string]int64, len(list))
	for _, item := range list {
		name, text, ok := strings.Cut(item, "=")
		name = strings.TrimSpace(name)
		if name == "?" {
			name = "?1"
		}
		x, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		switch {
		case !ok || name == "":
			return nil, fmt.Errorf("a value is set by NAME=INTEGER, found %q", item)
		case errors.Is(err, strconv.ErrRange):
			return nil, fmt.Errorf("%s: the integer does not fit in 64 bits", item)
		case err != nil:
			return nil, fmt.Errorf("%s: expected an integer after =, found %q", item, text)
		}
		if old, twice := values[name]; twice && old != x {
			return nil, fmt.Errorf("%s has two values, %d and %d", name, old, x)
		}
		values[name] = x
	}
	return values, nil
}

// setArgument is the argument for values of run-time integers, each as NAME=INTEGER.
var setArgument = Argument{
	Name: "set", Field: "set", Doc: "values of run-time integers", Brief: "such as m=512", Of: reflect.TypeFor[[]string](),
	Into: reflect.TypeFor[[]string](),
}

// takeValues moves the values of run-time integers from the fields of a request to the session.
func (s *Session) takeValues(fields map[string]any) *report.Error {
	list, ok := fields[setArgument.Field].([]string)
	if !ok {
		return nil
	}
	values, err := ParseValues(list)
	if err != nil {
		return refusal(cute.CodeSyntax, err.Error(), "")
	}
	s.Set(values)
	delete(fields, setArgument.Field)
	return nil
}
