/**
 * One thing a line, in all the ways that developers write it, in English, Japanese, Chinese and Korean: abbreviations,
 * spellings, translations. Only what can stand for each other in any sentence about software belongs here.
 */
export const SYNONYM_GROUPS: readonly string[] = `
k8s, kubernetes, クバネティス, 쿠버네티스
db, database, データベース, 数据库, 資料庫, 데이터베이스
postgres, postgresql, pg
js, javascript
ts, typescript
py, python, 파이썬
auth, authentication, 認証, 认证, 身份验证, 인증
authz, authorization, permission, 権限, 认可, 权限, 授权, 권한, 인가
login, signin, ログイン, 登录, 登入, 로그인
logout, signout, ログアウト, 登出, 注销, 로그아웃
password, passwd, パスワード, 密码, 密碼, 비밀번호, 암호
config, configuration, settings, 設定, 配置, 设置, 설정
env, environment, 環境, 环境, 환경
environment variable, 環境変数, 环境变量, 환경 변수
prod, production, 本番, 本番環境, 生产, 生产环境, 线上, 운영, 프로덕션, 운영 환경
staging, ステージング, 预发布, 预发, 스테이징
dev, development, 開発, 开发, 개발
repo, repository, リポジトリ, レポジトリ, 仓库, 代码库, 저장소, 리포지토리
deploy, deployment, release, rollout, デプロイ, リリース, 部署, 发布, 上线, 배포, 릴리스
rollback, revert, ロールバック, 切り戻し, 回滚, 롤백
bug, defect, バグ, 不具合, 缺陷, 漏洞, 버그, 결함
fix, repair, 修正, 修复, 수정
error, エラー, 错误, 報錯, 报错, 에러, 오류
exception, 例外, 异常, 예외
failure, fail, 失敗, 失败, 실패
crash, クラッシュ, 崩溃, 크래시
test, テスト, 测试, 테스트
flaky, 不安定, 不稳定, 불안정
cache, caching, キャッシュ, 缓存, 快取, 캐시
queue, キュー, 队列, 隊列, 큐, 대기열
message queue, メッセージキュー, 消息队列, 메시지 큐
retry, リトライ, 再試行, 重试, 重試, 재시도
timeout, time out, タイムアウト, 超时, 逾時, 타임아웃, 시간 초과
rate limit, rate limiting, throttling, レート制限, 流量制限, 限流, 速率限制, 속도 제한, 요청 제한
latency, レイテンシ, 遅延, 延迟, 지연, 지연 시간
throughput, スループット, 吞吐量, 처리량
performance, perf, パフォーマンス, 性能, 성능
memory leak, メモリリーク, 内存泄漏, 메모리 누수
memory, メモリ, 内存, 記憶體, 메모리
disk, ディスク, 磁盘, 硬盘, 디스크
cpu, プロセッサ, 处理器, 프로세서
thread, スレッド, 线程, 執行緒, 스레드
process, プロセス, 进程, 프로세스
deadlock, デッドロック, 死锁, 교착 상태, 데드락
lock, ロック, 锁, 잠금, 락
transaction, トランザクション, 事务, 交易, 트랜잭션
index, インデックス, 索引, 인덱스, 색인
query, クエリ, 查询, 쿼리, 질의
schema, スキーマ, 模式, 表结构, 스키마
table, テーブル, 数据表, 테이블
column, カラム, 列, 字段, 컬럼, 칼럼
migration, マイグレーション, 移行, 迁移, 마이그레이션
backup, バックアップ, 备份, 備份, 백업
restore, リストア, 復元, 恢复, 还原, 복원, 복구
replica, replication, レプリカ, レプリケーション, 副本, 复制, 레플리카, 복제
connection, 接続, コネクション, 连接, 连线, 연결, 커넥션
connection pool, コネクションプール, 连接池, 연결 풀, 커넥션 풀
session, セッション, 会话, 會話, 세션
token, トークン, 令牌, 토큰
certificate, cert, 証明書, 证书, 憑證, 인증서
encryption, encrypt, 暗号化, 加密, 암호화
security, セキュリティ, 安全, 安全性, 보안
firewall, ファイアウォール, 防火墙, 방화벽
proxy, プロキシ, 代理, 프록시
load balancer, ロードバランサ, ロードバランサー, 负载均衡, 로드 밸런서
gateway, ゲートウェイ, 网关, 閘道, 게이트웨이
server, サーバ, サーバー, 服务器, 伺服器, 서버
client, クライアント, 客户端, 用戶端, 클라이언트
frontend, front end, フロントエンド, 前端, 프론트엔드, 프런트엔드
backend, back end, バックエンド, 后端, 後端, 백엔드
api, インターフェース, 接口, 인터페이스
endpoint, エンドポイント, 端点, 엔드포인트
request, リクエスト, 请求, 請求, 요청
response, レスポンス, 响应, 응답
header, ヘッダー, ヘッダ, 请求头, 헤더
file, ファイル, 文件, 檔案, 파일
directory, folder, dir, フォルダ, ディレクトリ, 目录, 文件夹, 폴더, 디렉터리
path, パス, 路径, 경로
log, logging, ログ, 日志, 日誌, 로그
monitoring, monitor, 監視, モニタリング, 监控, 모니터링
alert, アラート, 告警, 警报, 알림, 경보
metric, メトリクス, 指标, 지표, 메트릭
dependency, dep, 依存, 依存関係, 依赖, 의존성
package, パッケージ, 软件包, 套件, 패키지
library, lib, ライブラリ, 程序库, 函式庫, 라이브러리
version, バージョン, 版本, 버전
upgrade, アップグレード, 升级, 업그레이드
update, アップデート, 更新, 업데이트, 갱신
install, installation, インストール, 安装, 설치
build, ビルド, 构建, 編譯, 编译, 빌드
compile, compiler, コンパイル, 编译, 编译器, 컴파일
pipeline, パイプライン, 流水线, 파이프라인
continuous integration, ci, 継続的インテグレーション, 持续集成
container, コンテナ, 容器, 컨테이너
image, イメージ, 镜像, 이미지
cluster, クラスタ, クラスター, 集群, 클러스터
node, ノード, 节点, 노드
pod, ポッド, 파드
cron, scheduled job, 定期実行, 定时任务, 스케줄 작업, 예약 작업
batch, バッチ, 批处理, 批量, 배치
job, ジョブ, 作业, 任务, 작업, 잡
worker, ワーカー, 工作进程, 워커
webhook, ウェブフック, 웹훅
inventory, stock, 在庫, 库存, 재고
order, 注文, 订单, 下单, 주문
payment, 決済, 支払い, 支付, 付款, 결제
invoice, 請求書, 发票, 账单, 청구서
refund, 返金, 退款, 환불
customer, 顧客, お客様, 客户, 고객
user, ユーザー, ユーザ, 用户, 使用者, 사용자, 유저
admin, administrator, 管理者, 管理员, 관리자
account, アカウント, 账号, 账户, 帳號, 계정
tenant, テナント, 租户, 테넌트
subscription, サブスクリプション, 订阅, 구독
notification, 通知, 알림
email, e-mail, mail, メール, 邮件, 电子邮件, 이메일, 메일
search, 検索, 搜索, 搜尋, 검색
sort, ソート, 並び替え, 排序, 정렬
filter, フィルタ, フィルター, 过滤, 筛选, 필터
upload, アップロード, 上传, 업로드
download, ダウンロード, 下载, 下載, 다운로드
delete, remove, 削除, 删除, 刪除, 삭제
create, 作成, 创建, 新建, 생성
duplicate, 重複, 重复, 중복
encoding, charset, 文字コード, 编码, 인코딩
mojibake, garbled, 文字化け, 乱码, 글자 깨짐
timezone, time zone, タイムゾーン, 时区, 시간대, 타임존
date, 日付, 日期, 날짜
garbage collection, gc, ガベージコレクション, 垃圾回收, 가비지 컬렉션
eviction, evict, 追い出し, 淘汰, 驱逐, 제거 정책
serialization, serialize, シリアライズ, 序列化, 직렬화
concurrency, concurrent, 並行, 并发, 동시성
parallel, 並列, 并行, 병렬
asynchronous, async, 非同期, 异步, 비동기
synchronous, sync, 同期, 同步, 동기
race condition, レースコンディション, 競合状態, 竞态条件, 竞态, 경쟁 상태
idempotent, idempotency, 冪等, 幂等, 멱등, 멱등성
pagination, paging, ページネーション, 分页, 페이지네이션
shard, sharding, シャーディング, 分片, 샤딩
partition, パーティション, 分区, 파티션
network, ネットワーク, 网络, 網路, 네트워크
port, ポート, 端口, 포트
domain, ドメイン, 域名, 도메인
feature flag, feature toggle, フィーチャーフラグ, 功能开关, 特性开关, 기능 플래그
refactor, refactoring, リファクタリング, 重构, 리팩터링, 리팩토링
review, code review, レビュー, コードレビュー, 代码审查, 评审, 리뷰, 코드 리뷰
branch, ブランチ, 分支, 브랜치
merge, マージ, 合并, 병합
commit, コミット, 提交, 커밋
design, 設計, 设计, 설계
architecture, アーキテクチャ, 架构, 아키텍처
requirement, 要件, 需求, 요구사항
documentation, docs, ドキュメント, 文档, 文件, 문서
naming, 命名, 命名規則, 命名规范, 네이밍, 명명 규칙
lint, linter, リンター, 린터
type, 型, 类型, 타입
function, 関数, 函数, 함수
class, クラス, 类, 클래스
variable, 変数, 变量, 변수
parameter, argument, param, パラメータ, 引数, 参数, 매개변수, 인자
default, デフォルト, 既定, 默认, 預設, 기본값, 기본
limit, 制限, 上限, 限制, 제한
threshold, しきい値, 閾値, 阈值, 임계값
interval, 間隔, 间隔, 간격, 주기
expire, expiry, expiration, 期限切れ, 有効期限, 过期, 到期, 만료
leak, リーク, 泄漏, 泄露, 누수, 유출
slow, 遅い, 慢, 느림, 느린
fast, 速い, 快, 빠름, 빠른
enable, enabled, 有効, 启用, 開啟, 활성화
disable, disabled, 無効, 禁用, 停用, 비활성화
translation, i18n, internationalization, 多言語化, 国际化, 국제화, 다국어
machine learning, ml, 機械学習, 机器学习, 머신러닝
artificial intelligence, ai, 人工知能, 人工智能, 인공지능
`
  .trim()
  .split("\n");
