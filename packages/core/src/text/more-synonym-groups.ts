/**
 * Further groups in the form of `synonym-groups.ts`, short ones on one line: code, teams and screens, then spellings,
 * abbreviations and names within one language.
 */
export const MORE_SYNONYM_GROUPS: readonly string[] = `
encoding, encodings, charset, 文字コード, 编码, 인코딩; mojibake, garbled, garbled text, 文字化け, 乱码, 글자 깨짐
timezone, timezones, time zone, time zones, time-zone, タイムゾーン, 时区, 시간대, 타임존
timestamp, time stamp, time-stamp, タイムスタンプ, 时间戳, 時間戳記, 타임스탬프; date, 日付, 日期, 날짜
holiday, holidays, 祝日, 休日, 假日, 节假日, 휴일, 공휴일
daylight saving, daylight saving time, summer time, サマータイム, 夏時間, 夏令时, 서머타임
garbage collection, garbage collector, gc, ガベージコレクション, 垃圾回收, 垃圾收集, 가비지 컬렉션, 가비지 컬렉터
eviction, evict, 追い出し, 淘汰, 驱逐, 제거 정책
serialization, serialisation, serialize, serialise, serialized, シリアライズ, 序列化, 직렬화
deserialization, deserialisation, deserialize, deserialise, デシリアライズ, 反序列化, 역직렬화
concurrency, concurrent, 並行処理, 並行, 并发, 동시성; parallel, 並列, 并行, 병렬
asynchronous, async, 非同期, 异步, 非同步, 비동기
synchronous, synchronization, synchronisation, synchronize, synchronise, sync, 同期, 同步, 동기, 동기화
nonblocking, non blocking, non-blocking, ノンブロッキング, 非阻塞, 논블로킹
race condition, race conditions, data race, レースコンディション, 競合状態, 竞态条件, 竞态, 競爭條件, 경쟁 상태, 경쟁 조건
idempotent, idempotency, idempotence, 冪等, 冪等性, 幂等, 멱등, 멱등성
shard, sharding, シャーディング, シャード, 分片, 샤딩, 샤드
partition, partitions, partitioning, パーティション, 分区, 分割區, 파티션; network, ネットワーク, 网络, 網路, 네트워크
subnet, sub-net, サブネット, 子网, 子網路, 서브넷; bandwidth, 帯域, 帯域幅, 带宽, 頻寬, 대역폭
packet, パケット, 数据包, 封包, 패킷; socket, ソケット, 套接字, 소켓; port, ポート, 端口, 連接埠, 포트
domain, ドメイン, 域名, 網域, 도메인; subdomain, sub domain, sub-domain, サブドメイン, 子域名, 子網域, 서브도메인
hostname, hostnames, host name, host-name, ホスト名, 主机名, 主機名稱, 호스트명, 호스트 이름
name server, nameserver, name-server, ネームサーバ, ネームサーバー, 域名服务器, 네임서버
redirect, リダイレクト, 重定向, 重新導向, 리다이렉트, 리디렉션
feature flag, feature flags, featureflag, feature-flag, feature toggle, フィーチャーフラグ, 機能フラグ, 功能开关, 特性开关, 기능 플래그, 피처 플래그
canary, canary release, カナリア, カナリアリリース, 灰度, 灰度发布, 金丝雀, 카나리, 카나리아
blue green, blue-green, ブルーグリーン, 蓝绿部署, 블루 그린, 블루그린
zero downtime, zero-downtime, ゼロダウンタイム, 無停止, 不停机, 무중단
refactor, refactoring, リファクタリング, リファクタ, 重构, 리팩터링, 리팩토링
review, code review, レビュー, コードレビュー, 代码审查, 代码评审, 评审, 審查, 리뷰, 코드 리뷰
pair programming, ペアプログラミング, ペアプロ, 结对编程, 페어 프로그래밍
technical debt, tech debt, 技術的負債, 技术债, 技术债务, 기술 부채; legacy, レガシー, 遗留系统, 遗留, 레거시
deprecated, deprecation, deprecate, 非推奨, 廃止予定, 弃用, 废弃, 지원 중단, 사용 중단; branch, ブランチ, 分支, 브랜치
merge, merged, merging, merges, マージ, 合并, 병합, 머지
merge conflict, merge conflicts, マージコンフリクト, 合并冲突, 병합 충돌, 머지 충돌
conflict, コンフリクト, 競合, 衝突, 冲突, 충돌; commit, コミット, 提交, 커밋; tag, タグ, 标签, 태그
pull request, pull requests, pull-request, pr, プルリクエスト, プルリク, 拉取请求, 合并请求, 풀 리퀘스트, 풀리퀘스트
merge request, merge requests, merge-request, mr, マージリクエスト, 合并请求, 머지 리퀘스트
changelog, change log, change-log, 変更履歴, 更新履歴, 变更日志, 更新日志, 변경 이력, 변경 로그
milestone, milestones, マイルストーン, 里程碑, 마일스톤; sprint, スプリント, 冲刺, 스프린트
backlog, バックログ, 待办列表, 积压, 백로그; roadmap, road map, ロードマップ, 路线图, 로드맵
ticket, チケット, 工单, 티켓; meeting, meetings, 会議, ミーティング, 打ち合わせ, 打合せ, 打合わせ, 会议, 회의, 미팅
estimate, estimates, estimation, 見積もり, 見積り, 見積, 估算, 견적; design, 設計, 设计, 설계
architecture, architectures, アーキテクチャ, アーキテクチャー, 架构, 아키텍처
requirement, requirements, reqs, 要件, 需求, 요구사항, 요구 사항
specification, specifications, spec, 仕様, 仕様書, 规格, 사양, 명세
documentation, docs, doc, document, ドキュメント, 文档, 说明文档, 문서; manual, マニュアル, 手册, 使用手册, 매뉴얼
naming, 命名, 命名規則, 命名规范, 네이밍, 명명 규칙; lint, linter, リンター, 代码检查, 린터
formatter, code formatter, フォーマッタ, フォーマッター, 格式化工具, 포매터; type, データ型, 类型, 型別, 타입, 자료형
function, func, fn, 関数, 函数, 函式, 함수; method, メソッド, 메서드, 메소드; class, クラス, 클래스
object, obj, オブジェクト, 对象, 物件, 객체, 오브젝트; property, properties, プロパティ, 属性, 속성, 프로퍼티
attribute, attributes, attr, 属性, 속성, アトリビュート; variable, variables, vars, 変数, 变量, 變數, 변수
constant, 定数, 常量, 常數, 상수
parameter, parameters, param, argument, arg, パラメータ, パラメーター, 引数, 参数, 매개변수, 파라미터
array, arrays, 配列, 数组, 陣列, 배열; string, str, 文字列, 字符串, 字串, 문자열; integer, integers, 整数, 정수
floating point, floating-point, 浮動小数点, 浮点数, 浮点, 부동소수점, 부동 소수점
boolean, bool, ブール, ブーリアン, 布尔, 布林, 불리언; pointer, ポインタ, ポインター, 指针, 포인터
null pointer, null pointers, nullpointer, null-pointer, nullpointerexception, npe, ヌルポインタ, ヌルポ, 空指针, 널 포인터, 널포인터
infinite loop, infinite loops, endless loop, 無限ループ, 死循环, 无限循环, 無限迴圈, 무한 루프, 무한루프
recursion, recursive, recursively, 再帰, 递归, 遞迴, 재귀
iteration, iterations, iterate, イテレーション, 繰り返し, 繰返し, 迭代, 반복
callback, call-back, コールバック, 回调, 回呼, 콜백; promise, promises, プロミス, 프로미스; inherit, 継承, 继承, 상속
polymorphism, polymorphic, ポリモーフィズム, 多態性, 多态, 다형성; encapsulation, カプセル化, 封装, 캡슐화
abstract, 抽象化, 抽象, 추상화; generics, ジェネリクス, 泛型, 제네릭; enum, enumeration, 列挙型, 枚举, 열거형
singleton, シングルトン, 单例, 싱글톤; dependency injection, 依存性注入, 依存注入, 依赖注入, 의존성 주입
validation, validate, validated, validations, validator, バリデーション, ヴァリデーション, 検証, 校验, 验证, 검증, 유효성 검사, 밸리데이션
compress, 圧縮, 压缩, 압축; decompress, unzip, 解凍, 解压, 解壓縮, 압축 해제
overflow, オーバーフロー, 溢出, 溢位, 오버플로, 오버플로우
stack overflow, stackoverflow, スタックオーバーフロー, 栈溢出, 堆栈溢出, 스택 오버플로, 스택 오버플로우
buffer, バッファ, バッファー, 缓冲区, 缓冲, 버퍼
stack trace, stack traces, stacktrace, stack-trace, backtrace, traceback, スタックトレース, トレースバック, 堆栈跟踪, 调用栈, 堆疊追蹤, 스택 트레이스, 스택트레이스
breakpoint, break-point, ブレークポイント, 断点, 中斷點, 중단점, 브레이크포인트
debug, デバッグ, 调试, 除錯, 偵錯, 디버그, 디버깅; debugger, debuggers, デバッガ, デバッガー, 调试器, 偵錯工具, 디버거
profiler, profilers, profiling, プロファイラ, プロファイラー, プロファイリング, 性能分析, 프로파일러, 프로파일링
source code, ソースコード, 源代码, 源码, 原始碼, 소스 코드, 소스코드
codebase, codebases, code base, code-base, コードベース, 代码库, 코드베이스; program, プログラム, 程序, 程式, 프로그램
programming, プログラミング, 编程, 程式設計, 프로그래밍; software, ソフトウェア, ソフトウエア, 软件, 軟體, 소프트웨어
hardware, ハードウェア, ハードウエア, 硬件, 硬體, 하드웨어
application, applications, app, アプリ, アプリケーション, 应用程序, 應用程式, 애플리케이션, 어플리케이션
browser, ブラウザ, ブラウザー, 浏览器, 브라우저
operating system, operating systems, os, オペレーティングシステム, 操作系统, 作業系統, 운영체제, 운영 체제
dataset, data set, data-set, データセット, 数据集, 資料集, 데이터셋, 데이터 세트
data structure, data structures, データ構造, 数据结构, 資料結構, 자료구조, 자료 구조; information, info
statistics, stats, 統計, 统计, 통계; report, レポート, 報告書, 报表, 报告, 보고서, 리포트
average, averages, avg, 平均, 평균; maximum, max; minimum, min
threshold, しきい値, 閾値, 阈值, 임계값, 임곗값, 임계치; quota, クォータ, クオータ, 配额, 할당량, 쿼터
limit, 制限, 上限, 限制, 제한; default, デフォルト, 既定, 默认, 預設, 缺省, 기본값, 디폴트
interval, intervals, 間隔, 间隔, 간격
expiry, expire, expires, expired, expiration, 期限切れ, 有効期限, 失効, 过期, 到期, 逾期, 만료
time to live, ttl, 有効期間, 生存期間, 生存时间, 存活时间, 유효 기간
leak, leakage, リーク, 漏洩, 泄漏, 泄露, 누수, 유출; slow, 遅い, 很慢, 变慢, 太慢, 느림, 느린, 느리다
fast, 速い, 빠름, 빠른; enable, enabled, enables, 有効化, 启用, 開啟, 활성화, 有効に
disable, disabled, disables, 無効化, 禁用, 停用, 비활성화, 無効に
translation, translations, translate, 翻訳, 翻译, 번역
internationalization, internationalisation, i18n, 多言語化, 多言語対応, 国際化, 国际化, 多语言, 국제화, 다국어
localization, localisation, l10n, ローカライズ, ローカライゼーション, 本地化, 在地化, 현지화, 로컬라이제이션
accessibility, a11y, アクセシビリティ, 无障碍, 접근성
machine learning, ml, 機械学習, 机器学习, 머신러닝, 기계 학습, 머신 러닝
artificial intelligence, ai, 人工知能, 人工智能, 人工智慧, 인공지능
deep learning, ディープラーニング, 深層学習, 深度学习, 딥러닝, 딥 러닝
large language model, large language models, llm, 大規模言語モデル, 大语言模型, 大模型, 대규모 언어 모델
embedding, embeddings, 埋め込み, 埋込み, 嵌入向量, 임베딩; vector, ベクトル, ベクター, 向量, 벡터
inference, 推論, 推理, 추론; screen, 画面, 屏幕, 螢幕, 页面, 화면, 스크린; button, ボタン, 按钮, 按键, 버튼
menu, メニュー, 菜单, 選單, 메뉴; dialog, dialogue, ダイアログ, ダイヤログ, 对话框, 對話方塊, 대화 상자, 다이얼로그
modal, モーダル, 模态框, 弹窗, 모달; popup, pop up, pop-up, ポップアップ, 弹窗, 弹出窗口, 彈出視窗, 팝업
dropdown, drop down, drop-down, ドロップダウン, プルダウン, 下拉菜单, 下拉框, 下拉選單, 드롭다운
tooltip, tool tip, tool-tip, ツールチップ, 工具提示, 툴팁
placeholder, placeholders, place holder, place-holder, プレースホルダ, プレースホルダー, 占位符, 플레이스홀더, 자리 표시자
checkbox, check box, check-box, チェックボックス, 复选框, 核取方塊, 체크박스, 체크 박스
scroll, スクロール, 滚动, 捲動, 스크롤; layout, レイアウト, 布局, 版面配置, 레이아웃
cursor, カーソル, 光标, 游標, 커서, 커써; mouse, マウス, 鼠标, 滑鼠, 마우스; keyboard, キーボード, 键盘, 키보드
shortcut, ショートカット, 快捷键, 快速鍵, 단축키; clipboard, クリップボード, 剪贴板, 剪貼簿, 클립보드
font, フォント, 字体, 字型, 글꼴, 폰트; icon, アイコン, 图标, 圖示, 아이콘; theme, テーマ, 테마
dark mode, ダークモード, 深色模式, 暗黑模式, 다크 모드, 다크모드; window, ウィンドウ, ウインドウ, 窗口, 視窗
link, リンク, 链接, 超連結, 링크; print, 印刷, 打印, 列印, 인쇄; printer, プリンタ, プリンター, 打印机, 印表機, 프린터
video, 動画, ビデオ, 视频, 影片, 비디오, 동영상; blog, ブログ, 博客, 部落格, 블로그
website, websites, web site, web-site, ウェブサイト, ウエブサイト, 网站, 웹사이트, 웹 사이트
content, コンテンツ, 콘텐츠, 컨텐츠; comment, コメント, 注释, 評論, 评论, 註解, 댓글, 주석; quality, 品質, 质量, 품질
support, サポート, 支持, 支援, 지원
optimization, optimisation, optimize, optimise, optimized, 最適化, 优化, 最佳化, 최적화
algorithm, アルゴリズム, 算法, 演算法, 알고리즘, 알고리듬; resource, resources, リソース, 资源, 리소스, 자원
mechanism, mechanisms, メカニズム, 机制, 메커니즘, 매커니즘
license, licenses, licence, licences, ライセンス, 许可证, 授權條款, 라이선스, 라이센스
template, templates, テンプレート, 模板, 範本, 템플릿; prototype, prototypes, プロトタイプ, 原型, 프로토타입
simulation, simulations, simulator, シミュレーション, シュミレーション, 模拟, 시뮬레이션
regular expression, regular expressions, regex, regexp, 正規表現, 正则表达式, 正则, 正規表示式, 정규식, 정규 표현식, 정규표현식
user agent, user-agent, useragent, ユーザーエージェント, 用户代理, 유저 에이전트
agent, エージェント, 智能体, 智慧體, 에이전트; prompt, プロンプト, 提示词, 프롬프트
identifier, identifiers, id, 識別子, 标识符, 識別碼, 식별자
state machine, ステートマシン, 状態機械, 状态机, 상태 머신, 상태 기계
worktree, worktrees, work tree, work-tree, ワークツリー, 工作树, 워크트리
workaround, work around, work-around, 回避策, ワークアラウンド, 变通方法, 临时方案, 우회 방법, 임시 해결책
walkthrough, walk through, walk-through, ウォークスルー, 워크스루
whitespace, white space, white-space, 空白文字, 空白字符, 공백 문자
whitelist, white list, white-list, allowlist, allow list, allow-list, ホワイトリスト, 許可リスト, 白名单, 허용 목록, 화이트리스트
blacklist, black list, black-list, denylist, deny list, deny-list, blocklist, block list, block-list, ブラックリスト, 拒否リスト, 黑名单, 차단 목록, 블랙리스트
namespace, namespaces, name space, name-space, ネームスペース, 名前空間, 命名空间, 네임스페이스
sandbox, sand box, サンドボックス, 沙箱, 沙盒, 샌드박스
standalone, stand alone, stand-alone, スタンドアロン, 独立运行, 스탠드얼론
screenshot, screen shot, screen-shot, スクリーンショット, 截图, 截屏, 스크린샷, 화면 캡처
watchdog, watch dog, watch-dog, ウォッチドッグ, 看门狗, 워치독
preload, pre load, pre-load, プリロード, 预加载, 預先載入, 프리로드
prefetch, pre fetch, pre-fetch, プリフェッチ, 预取, 프리페치
lockfile, lockfiles, lock file, lock-file, ロックファイル, 锁文件, 鎖定檔, 잠금 파일, 락 파일
writeback, write back, write-back, ライトバック, 回写, 쓰기 지연
multipart, multi part, multi-part, マルチパート, 멀티파트
autoscaling, auto scaling, auto-scaling, autoscale, autoscaler, オートスケール, オートスケーリング, 自动扩缩容, 自动伸缩, 自動擴展, 오토스케일링, 자동 확장
monorepo, mono repo, mono-repo, モノレポ, 单体仓库, 모노레포
submodule, submodules, sub module, sub-module, サブモジュール, 子模块, 子模組, 서브모듈
toolchain, tool chain, tool-chain, ツールチェーン, ツールチェイン, 工具链, 툴체인
livelock, live-lock, ライブロック, 活锁; spinlock, spin lock, spin-lock, スピンロック, 自旋锁, 스핀락
spreadsheet, spread sheet, スプレッドシート, 电子表格, 試算表, 스프레드시트
bytecode, byte code, byte-code, バイトコード, 字节码, 位元組碼, 바이트코드
cron expression, cron式, cron表达式, cron 表达式, 크론 표현식
homepage, home page, home-page, ホームページ, 首页, 主页, 홈페이지
inbox, in-box, 受信トレイ, 受信箱, 收件箱, 받은 편지함
wildcard, wild card, ワイルドカード, 通配符, 萬用字元, 와일드카드
viewport, view port, view-port, ビューポート, 视口, 뷰포트
keyframe, key frame, key-frame, キーフレーム, 关键帧, 키프레임
pageview, page view, page-view, ページビュー, 页面浏览量, 페이지뷰
typecheck, type check, type-check, type checking, 型チェック, 类型检查, 型別檢查, 타입 체크, 타입 검사
subcommand, sub command, sub-command, サブコマンド, 子命令, 하위 명령
subprocess, sub process, sub-process, child process, サブプロセス, 子プロセス, 子进程, 서브프로세스, 자식 프로세스
dry run, dryrun, dry-run, ドライラン, 予行, 试运行, 드라이런
soft delete, soft-delete, 論理削除, ソフトデリート, 软删除, 逻辑删除, 소프트 삭제, 논리 삭제
hot reload, hot-reload, live reload, ホットリロード, 热重载, 热更新, 핫 리로드
lazy loading, lazy load, lazy-loading, 遅延読み込み, 遅延ロード, 懒加载, 延遲載入, 지연 로딩
long polling, long-polling, ロングポーリング, 长轮询, 롱 폴링; polling, ポーリング, 轮询, 폴링
cold start, cold-start, コールドスタート, 冷启动, 콜드 스타트
on premises, on premise, on-premises, on-premise, on-prem, オンプレミス, オンプレ, 本地部署, 온프레미스
open source, open-source, opensource, オープンソース, 开源, 開放原始碼, 오픈소스, 오픈 소스
third party, third-party, サードパーティ, サードパーティー, 第三方, 서드파티, 서드 파티
smartphone, スマホ, スマートフォン, 智能手机, 手机, 智慧型手機, 스마트폰; javascript, js, 자바스크립트
typescript, ts, 타입스크립트; python, py, python3, パイソン, 파이썬
postgres, postgresql, pg, pgsql, ポスグレ, 포스트그레스; react, reactjs, react.js, 리액트
golang, go言語, go语言, go 언어; terraform, テラフォーム, 테라폼; redis, 레디스; linux, リナックス, 리눅스
implement, impl, 実装, 实现, 實作, 구현
temporary file, temporary files, temp file, tmp file, 一時ファイル, 临时文件, 暫存檔, 임시 파일
initialization, initialisation, initialize, initialise, initialized, init, 初期化, 初始化, 초기화
context, ctx, コンテキスト, コンテクスト, 上下文, 컨텍스트; util, ユーティリティ, 工具类, 유틸리티
executable, executables, exe, 実行ファイル, 可执行文件, 執行檔, 실행 파일
binary, binaries, バイナリ, バイナリー, 二进制, 二進位, 바이너리; address, addr, アドレス, 地址, 位址, 주소
ip address, ip addresses, ipアドレス, ip地址, ip 地址, ip 주소, 아이피 주소
calculation, calculate, calc, 計算, 计算, 계산; execution, execute, exec, 実行, 执行, 실행
iterator, iterators, イテレータ, 迭代器, 이터레이터; generator, generators, ジェネレータ, 生成器, 제너레이터
delimiter, delimiters, separator, separators, 区切り文字, 分隔符, 구분자
service level agreement, sla, サービスレベル合意, 服务等级协议, 서비스 수준 협약
service level objective, slo, サービスレベル目標, 服务等级目标, 서비스 수준 목표
service account, service accounts, サービスアカウント, 服务账号, 服务账户, 服務帳戶, 서비스 계정, 서비스계정
proof of concept, poc, 概念実証, 概念验证, 개념 증명
server side rendering, server-side rendering, ssr, サーバーサイドレンダリング, 服务端渲染, 서버 사이드 렌더링
content delivery network, cdn, コンテンツ配信, 内容分发网络, 콘텐츠 전송 네트워크
cross site scripting, cross-site scripting, xss, クロスサイトスクリプティング, 跨站脚本, 크로스 사이트 스크립팅
cross site request forgery, cross-site request forgery, csrf, xsrf, クロスサイトリクエストフォージェリ, 跨站请求伪造
sql injection, sqlインジェクション, sql注入, sql 注入, sql 인젝션
man in the middle, man-in-the-middle, mitm, 中間者攻撃, 中间人攻击, 중간자 공격
denial of service, denial-of-service, ddos, サービス拒否, 拒绝服务, 서비스 거부
purchase order, purchase orders, 発注書, 采购订单, 採購單, 발주서
integrated development environment, ide, 統合開発環境, 集成开发环境, 통합 개발 환경
command line interface, コマンドラインインターフェース, 命令行界面, 명령줄 인터페이스
remote procedure call, rpc, リモートプロシージャコール, 远程过程调用, 원격 프로시저 호출
write ahead log, write-ahead log, wal, 先行書き込みログ, 预写日志
受け入れテスト, 受入テスト, 受入れテスト, acceptance test, 验收测试, 인수 테스트
メインテナンス, メンテナンス, 保守, maintenance, 维护, 유지보수, 유지 보수
カテゴリ, カテゴリー, category, categories, 分类, 類別, 카테고리; エントリ, エントリー, entry, entries
ヒストリー, 履歴, history, 历史记录, 이력, 히스토리; ポリシー, policy, policies, 策略, 政策, 정책
全局, 全域, global, グローバル, 전역, 글로벌; 局部变量, 區域變數, local variable, ローカル変数, 지역 변수
字节, 位元組, byte, バイト, 바이트; 内核, 커널, カーネル, kernel; save, 保存, 儲存
reindex, re-index; elasticsearch, elastic search, elastic-search; nodejs, node.js, node js; nextjs, next.js, next js
nuxtjs, nuxt.js; vue, vuejs, vue.js; csharp, c#, c sharp, c-sharp; fsharp, f#; cpp, c++, cplusplus
dotnet, .net, dot net, dot-net; utf8, utf-8; utf16, utf-16; sha1, sha-1; sha256, sha-256; sha512, sha-512
http2, http/2; http3, http/3; oauth, oauth2, oauth 2.0; es6, es2015, ecmascript 2015
github actions, gha, githubactions; github, gh; gitlab ci, gitlab-ci; macos, mac os, osx
vscode, vs code, visual studio code; amazon web services, aws; google cloud, google cloud platform, gcp
docker compose, docker-compose; dockerfile, docker file; temporary, tmp; source, src; reference, references, ref
number, num; manager, mgr; miscellaneous, misc; original, orig; previous, prev; evaluation, evaluate, eval
site reliability engineering, sre; minimum viable product, mvp; single page application, spa
virtual private network, vpn; domain name system, dns; object relational mapping, object-relational mapping, orm
key performance indicator, kpi; universally unique identifier, uuid, guid; software development kit, sdk
cumulative layout shift, cls; largest contentful paint, lcp; behavior, behaviour; behavioral, behavioural
catalog, catalogue; artifact, artefact; artifacts, artefacts; fiber, fibre; analyze, analyse, analyzed, analysed
analyzer, analyser; organization, organisation; organize, organise; color, colour; gray, grey; center, centre
defense, defence; honor, honour; favorite, favourite; neighbor, neighbour; flavor, flavour; judgment, judgement
minimize, minimise; maximize, maximise; customize, customise; normalize, normalise; finalize, finalise
labeled, labelled; customization, customisation; normalization, normalisation; summarize, summarise
visualize, visualise; visualization, visualisation; prioritize, prioritise; categorize, categorise
recognize, recognise; utilization, utilisation; randomize, randomise; sanitize, sanitise; tokenize, tokenise
anonymize, anonymise; containerize, containerise; virtualization, virtualisation; standardize, standardise
申し込み, 申込み, 申込; 締め切り, 締切り, 締切, 〆切; 取り消し, 取消し, 取消; 割り当て, 割当て, 割当
切り替え, 切替え, 切替, 切り換え, 切換; 読み込み, 読込み, 読込, 読みこみ; 書き込み, 書込み, 書込
読み取り, 読取り, 読取; 取り扱い, 取扱い, 取扱; 受け渡し, 受渡し, 受渡; 受け取り, 受取り, 受取; 受け付け, 受付け, 受付
問い合わせ, 問合せ, 問合わせ, 問い合せ; 引き継ぎ, 引継ぎ, 引継; 立ち上げ, 立上げ; 立ち上がり, 立上り, 立上がり
呼び出し, 呼出し, 呼出; 組み込み, 組込み, 組込; 振り込み, 振込み, 振込; 引き落とし, 引落し, 引落; 貼り付け, 貼付け
埋め込み, 埋込み, 埋込; 取り込み, 取込み, 取込; 取り出し, 取出し; 巻き戻し, 巻戻し; 差し戻し, 差戻し, 差戻
差し替え, 差替え, 差替; 落ち込み, 落込み; 手続き, 手続; 見直し, 見なおし; 打ち切り, 打切り; 打ち消し, 打消し
入れ替え, 入替え, 入替; 置き換え, 置換え; 繰り越し, 繰越し, 繰越; 組み合わせ, 組合せ, 組み合せ
突き合わせ, 突合せ, 突合; 待ち合わせ, 待合せ; 折り返し, 折返し; 折りたたみ, 折り畳み, 折畳み; 書き換え, 書換え
書き出し, 書出し; 抜け漏れ, 抜けもれ; 洗い出し, 洗出し; 積み残し, 積残し; 払い出し, 払出し; 受け入れ, 受入れ, 受入
日付け, 日付; ふるまい, 振る舞い, 振舞い; 取り決め, 取決め; 申し送り, 申送り; 行う, 行なう; すべて, 全て
ウェブ, ウエブ; フェイルセーフ, フェールセーフ; デフォルト, ディフォルト; コミュニケーション, コミニュケーション
エンジニア, エンジニヤ; デジタル, ディジタル; ディスプレイ, ディスプレー; プロキシ, プロキシー, プロクシ
リポジトリ, リポジトリー, レポジトリ; セキュリティ, セキュリティー; プロパティ, プロパティー
ユーティリティ, ユーティリティー; 紐付け, 紐づけ, ひも付け, 紐付
信息, 資訊; 代码, 程式碼; 循环, 迴圈; 复制, 拷贝; 粘贴, 貼上; 导入, 匯入; 导出, 匯出; 加载, 載入, 装载; 项目, 專案
高速缓存, 快取; 消息, 訊息
메시지, 메세지; 데이터, 데이타; 액세스, 엑세스; 섀도, 쉐도우, 섀도우; 비주얼, 비쥬얼; 컴퓨터, 컴퓨타
`
  .trim()
  .split(/; |\n/);
