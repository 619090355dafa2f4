-- What Lacuna answers on opening an Nsight Systems export, asked in SQL: kernel and API summaries, every idle gap
-- of the device, and the blocking call of the hundred longest gaps.
--   time sqlite3 -readonly trace.sqlite < tests/bench/nsys_questions.sql
.headers off

SELECT 'kernels', count(*) FROM (
  SELECT s.value, count(*), sum(k.end - k.start), avg(k.end - k.start), min(k.end - k.start), max(k.end - k.start)
  FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName
  GROUP BY s.value ORDER BY 3 DESC);

SELECT 'api', count(*) FROM (
  SELECT s.value, count(*), sum(r.end - r.start), avg(r.end - r.start), min(r.end - r.start), max(r.end - r.start)
  FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId
  GROUP BY s.value ORDER BY 3 DESC);

CREATE TEMP TABLE gaps AS
WITH work AS (
  SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL UNION ALL
  SELECT start, end FROM CUPTI_ACTIVITY_KIND_MEMCPY UNION ALL
  SELECT start, end FROM CUPTI_ACTIVITY_KIND_MEMSET),
ordered AS (
  SELECT start, max(end) OVER (ORDER BY start, end ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM work)
SELECT before AS begin, start AS end FROM ordered WHERE start > before;

SELECT 'gaps', count(*), sum(end - begin) FROM gaps;

SELECT 'named', count(call) FROM (
  SELECT g.begin, g.end, (
    SELECT nameId FROM (
      SELECT r.nameId AS nameId, min(r.end, g.end) - max(r.start, g.begin) AS overlap
      FROM CUPTI_ACTIVITY_KIND_RUNTIME r
      WHERE r.start < g.end AND r.end > g.begin)
    ORDER BY overlap DESC LIMIT 1) AS call
  FROM (SELECT * FROM gaps ORDER BY end - begin DESC LIMIT 100) g);
