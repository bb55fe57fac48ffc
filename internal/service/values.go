package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"girih"
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

// given takes the values of run-time integers out of the body of a request, {"set": ["M=4096", "?1=8"], ...}, which any may have, and
// gives them to the session.
func (s *Session) given(body []byte) ([]byte, *ErrorInfo) {
	if !bytes.Contains(body, []byte(`"set"`)) {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil || fields["set"] == nil {
		return body, nil // what is wrong with the request is said where it is read
	}
	var list []string
	if err := json.Unmarshal(fields["set"], &list); err != nil {
		return nil, &ErrorInfo{Code: string(girih.CodeSyntax), Message: fmt.Sprintf("expected set as a list of NAME=INTEGER: %v", err)}
	}
	values, err := ParseValues(list)
	if err != nil {
		return nil, &ErrorInfo{Code: string(girih.CodeSyntax), Message: err.Error()}
	}
	s.Set(values)
	delete(fields, "set")
	out, _ := json.Marshal(fields) // what was read as JSON is written as JSON
	return out, nil
}
