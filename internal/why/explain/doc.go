// Package explain says why a result is what it is: for each operation the rule, the steps with their numbers, the
// coordinate at which it fails where it fails, and what would work instead. An [Explanation] is data: package service
// writes it as text and JSON, and draws its figures.
package explain
